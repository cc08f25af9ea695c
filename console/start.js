// What cannot wait for the program: palette and language before the first paint, who is signed in, the pieces of the page asked for.
// A file of its own because the content security policy allows no inline script.
(function () {
  var root = document.documentElement
  var theme = null
  var language = null
  try {
    theme = localStorage.getItem('toimik.theme')
    language = localStorage.getItem('toimik.language')
  } catch {
    // Storage may be switched off: the system's palette and the browser's language are used.
  }
  var dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.classList.toggle('dark', dark)
  // What was chosen on this machine, or else the first of the browser's languages that we speak.
  if (!language) language = (navigator.languages || []).find(function (one) { return /^(et|en)\b/i.test(one) }) || 'et'
  root.lang = /^en/i.test(language) ? 'en' : 'et'

  // The program takes this answer instead of asking (src/api/session.ts).
  window.toimikVerify = fetch('/api/auth/verify', { method: 'POST', credentials: 'same-origin', headers: { Accept: 'application/json' } })
  window.toimikVerify.catch(function () {})

  // The build writes in which pieces each address needs.
  var pieces = {}
  var files = pieces[location.pathname.replace(/\/\d+$/, '/$id')] || pieces['/dashboard'] || []
  files.forEach(function (file) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = '/' + file
    document.head.append(link)
  })
})()
