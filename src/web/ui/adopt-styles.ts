/** Gives the page styles that came with a part loaded later. Adopted sheets need no exception in the page's policy. To be called once for each. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
