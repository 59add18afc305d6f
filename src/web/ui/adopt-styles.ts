/** Adds the styles of a lazily loaded part. Adopted style sheets need no exception in the content security policy. Call it once per part. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
