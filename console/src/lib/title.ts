// The window's title is set from the page's name.
export function pageTitle(name: string): void {
  document.title = `${name} · Toimik`
}
