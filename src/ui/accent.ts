/** Colours as `#rrggbb`; null for the default. */
interface Accents {
  light: string | null
  dark: string | null
}

const OWN = { light: '#14634b', dark: '#82d3b3' }

const sheet = new CSSStyleSheet()

/**
 * Applies an accent of any colour, made as dark or light as a contrast of 4.5 : 1 on all grounds of the page needs: in the light theme its
 * luminance (y) is at most 0.14, in the dark one at least 0.27. Ignores what is no colour.
 */
export function applyHostColor(color: string): void {
  if (!CSS.supports('color', color) || color.includes('var(')) return
  document.documentElement.style.setProperty('--host-color', color)
  const darker = ['x', 'y', 'z'].map((axis) => `calc(${axis} * min(1, 0.14 / y))`)
  const white = 'clamp(0, (0.27 - y) / max(0.01, 1 - y), 1)'
  const lighter = [
    ['x', 0.9505],
    ['y', 1],
    ['z', 1.089],
  ].map(([axis, most]) => `calc(${axis} + (${most} - ${axis}) * ${white})`)
  const colorOf = (axes: readonly string[]) => `color(from var(--host-color) xyz-d65 ${axes.join(' ')} / 1)`
  applyAccent({ light: colorOf(darker), dark: colorOf(lighter) })
}

/** Applies the operator's accent colours, whose contrast the server has checked, and matching neutral tints. */
export function applyAccent({ light, dark }: Accents): void {
  sheet.replaceSync(`:root {
    --accent: light-dark(${light ?? OWN.light}, ${dark ?? OWN.dark});
    --tint: light-dark(#e8ecea, #202825);
  }
  ::selection { background: color-mix(in srgb, var(--accent) 30%, transparent) }
  .button.solid:hover:not(:disabled) { background: color-mix(in srgb, var(--accent), light-dark(#000, #fff) 20%) }`)
  // Needs no exception in the content security policy.
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
}
