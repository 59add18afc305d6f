import type { z } from 'zod'
import { MAX_LINKS } from '../../contract/size-limits.ts'
import type { BrandingLink } from '../../contract/config.ts'
import { text } from './setting-schemas.ts'
import { contrast } from '../branding/contrast.ts'

/** WCAG AA, for text of normal size. */
const LEAST_CONTRAST = 4.5

/** Colours that need contrast with the accent: paper, raised, tint, panel and text on the accent. Matches `src/web/styles/controls.css`. */
const GROUNDS = {
  light: ['#f5f8f6', '#ffffff', '#e8ecea', '#ebf1ee'],
  dark: ['#0f1513', '#161e1b', '#202825', '#0b100e', '#0b1a14'],
}

/** A colour, or one for each theme. */
export const COLORS = /^(#[0-9a-f]{6})(?:\s*,\s*(#[0-9a-f]{6}))?$/i

const accents = text
  .regex(COLORS, 'must be a colour like #14634b, or one for each theme like #14634b,#82d3b3')
  .superRefine((value, context) => {
    const { light, dark } = accentsIn(value)
    const refuse = (theme: keyof typeof GROUNDS, choose: string) =>
      context.addIssue(`has too little contrast on the ${theme} page (at least 4.5:1): choose a ${choose} colour`)
    if (!isReadable(light, 'light')) refuse('light', 'darker')
    if (dark !== null && !isReadable(dark, 'dark')) refuse('dark', 'lighter')
  })

function accentsIn(value: string): { light: string; dark: string | null } {
  const [, light = '', dark = null] = COLORS.exec(value.toLowerCase()) ?? []
  return { light, dark }
}

function isReadable(color: string, theme: keyof typeof GROUNDS): boolean {
  return GROUNDS[theme].every((ground) => contrast(color, ground) >= LEAST_CONTRAST)
}

export const BRANDING_ENVIRONMENT = {
  THEME_COLOR: accents
    .optional()
    .describe(
      'Colour of links and buttons, such as `#14634b`, or one for the light and one for the dark theme: `#14634b,#82d3b3`. Requires a contrast of at least 4.5:1.',
    ),
  LOGO_FILE: text
    .optional()
    .describe(
      'Logo file, shown instead of the default logo: SVG, PNG or WebP, at most 256 kB. A square SVG, or a square PNG of at least 192 pixels, is also the icon of the installed app.',
    ),
  WELCOME_LINE: text.max(300).optional().describe('Line shown below the greeting of an empty chat.'),
  LINKS: text
    .refine(
      (value) => linksIn(value) !== null,
      `must be up to ${MAX_LINKS} links like Imprint=https://example.org/imprint, with | between them`,
    )
    .optional()
    .describe(`Links in the footer, at most ${MAX_LINKS}: \`Imprint=https://example.org/imprint | Terms=https://example.org/terms\`.`),
}

type BrandingEnvironment = z.infer<z.ZodObject<typeof BRANDING_ENVIRONMENT>>

export function brandingSettings({ THEME_COLOR, LOGO_FILE, WELCOME_LINE, LINKS }: BrandingEnvironment) {
  return {
    colors: THEME_COLOR === undefined ? null : accentsIn(THEME_COLOR),
    logoFile: LOGO_FILE ?? null,
    welcomeLine: WELCOME_LINE ?? null,
    links: linksIn(LINKS ?? '') ?? [],
  }
}

function linksIn(value: string): BrandingLink[] | null {
  const written = value.split('|').filter((link) => link.trim() !== '')
  const links = written.map(linkIn).filter((link) => link !== null)
  return links.length === written.length && links.length <= MAX_LINKS ? links : null
}

function linkIn(written: string): BrandingLink | null {
  const [, label = '', address = ''] = /^\s*([^=]{1,40}?)\s*=\s*(\S+)\s*$/.exec(written) ?? []
  const url = URL.parse(address)
  return label && url && /^(?:https?|mailto):$/.test(url.protocol) ? { label, url: url.href } : null
}
