import type { PublicConfiguration } from '../../contract/config.ts'
import type { Logo } from './logo.ts'

/** Background and default accent of the light theme. Matches `src/web/styles/controls.css`. */
const PAPER = '#f5f8f6'
const ACCENT = '#14634b'

const OWN_ICONS = [
  { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

/** The web app manifest, so browsers offer to install the page. */
export function manifestOf({ name, branding }: Pick<PublicConfiguration, 'name' | 'branding'>, logo: Logo | null) {
  const icon = logo?.iconSize && branding.logo ? { src: branding.logo, sizes: logo.iconSize, type: logo.type } : null
  return {
    id: '/',
    name,
    short_name: name,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: branding.colors?.light ?? ACCENT,
    icons: icon ? [icon] : OWN_ICONS,
  }
}
