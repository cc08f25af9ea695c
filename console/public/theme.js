// Sets palette and language before the first paint; a file of its own because the content security policy allows no inline script.
(function () {
  var root = document.documentElement
  var theme = null
  var language = null
  try {
    theme = localStorage.getItem('toimik.theme')
    language = localStorage.getItem('toimik.language')
  } catch {
    // Storage may be switched off: the system's palette and Estonian are used.
  }
  var dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.classList.toggle('dark', dark)
  if (language === 'en') root.lang = 'en'
})()
