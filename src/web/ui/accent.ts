import { adoptStyles } from './adopt-styles.ts'

/** As `#rrggbb`; null for the page's own. */
interface Accents {
  light: string | null
  dark: string | null
}

const OWN = { light: '#14634b', dark: '#82d3b3' }

/** Gives the page the operator's accents, which the server found readable, and neutral tints beside them. To be called once. */
export function applyAccent({ light, dark }: Accents): void {
  adoptStyles(`:root {
    --accent: light-dark(${light ?? OWN.light}, ${dark ?? OWN.dark});
    --tint: light-dark(#e8ecea, #202825);
  }
  ::selection { background: color-mix(in srgb, var(--accent) 30%, transparent) }
  .button.solid:hover:not(:disabled) { background: color-mix(in srgb, var(--accent), light-dark(#000, #fff) 20%) }`)
}
