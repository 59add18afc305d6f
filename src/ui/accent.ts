/** Colours as `#rrggbb`; null for the default. */
interface Accents {
  light: string | null
  dark: string | null
}

const OWN = { light: '#14634b', dark: '#82d3b3' }

/** Applies the operator's accent colours, whose contrast the server has checked, and matching neutral tints. Call it once. */
export function applyAccent({ light, dark }: Accents): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`:root {
    --accent: light-dark(${light ?? OWN.light}, ${dark ?? OWN.dark});
    --tint: light-dark(#e8ecea, #202825);
  }
  ::selection { background: color-mix(in srgb, var(--accent) 30%, transparent) }
  .button.solid:hover:not(:disabled) { background: color-mix(in srgb, var(--accent), light-dark(#000, #fff) 20%) }`)
  // Needs no exception in the content security policy.
  document.adoptedStyleSheets.push(sheet)
}
