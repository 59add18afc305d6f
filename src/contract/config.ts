import { z } from 'zod'
import { Takes } from './files.ts'
import { WantedLanguage } from './language.ts'

const PublicModel = z.object({
  label: z.string().describe('Which model answers, in words for the visitor.'),
  provider: z.string().nullable().describe('Who receives the prompts; null when the model runs in this server.'),
  takes: Takes.describe('What can be attached to a prompt: nothing, texts and PDFs, or pictures too.'),
})

/** An agent as visitors see it. */
export const PublicAgent = z.object({
  id: z.string(),
  name: z.string(),
  picture: z.string().nullable().describe('A `data:` URL.'),
  greeting: z.string(),
  starters: z.array(z.string()).describe('Prompts to begin with, at most 6.'),
  model: PublicModel,
})
export type PublicAgent = z.infer<typeof PublicAgent>

const BrandingLink = z.object({ label: z.string(), url: z.string() })
/** A link of the operator's: to an imprint, to terms. */
export type BrandingLink = z.infer<typeof BrandingLink>

/** How the operator wants the page to look. */
const Branding = z.object({
  colors: z
    .object({ light: z.string().nullable(), dark: z.string().nullable() })
    .nullable()
    .describe('Accents as `#rrggbb`, each null for the page’s own.'),
  logo: z.string().nullable().describe('Address of a picture.'),
  welcomeLine: z.string().nullable().describe('Stands below the greeting of an empty chat.'),
  links: z.array(BrandingLink).describe('For the foot of the page.'),
})

export const ConfigurationQuery = z.strictObject({ language: WantedLanguage })

/** What the page may know before anyone consented: the installation, never the visitor. `GET /api/v1/config`. */
export const PublicConfiguration = z.object({
  name: z.string().describe('Name of the installation, shown as the title of the page.'),
  look: Branding,
  agent: PublicAgent.describe('The agent that answers where none is named.'),
  agents: z.array(PublicAgent).describe('All of them, that one first.'),
  signIn: z
    .object({ label: z.string().describe('What the button says.') })
    .nullable()
    .describe('Null where nobody can sign in.'),
  voiceInput: z.boolean().describe('Whether the page may offer to write down what is said, where the browser can.'),
  sharing: z.boolean().describe('Whether visitors may let others read a chat by a link.'),
  privacy: z.object({
    noticeVersion: z.string().describe('Changes when the notice changes; the page then asks again.'),
    retentionDays: z.number().int().describe('Days after the last activity until a chat is deleted; 0 means an hour.'),
    contact: z.string().nullable(),
  }),
})
export type PublicConfiguration = z.infer<typeof PublicConfiguration>

export const PrivacyNoticeQuery = z.strictObject({ language: WantedLanguage })

/** `GET /api/v1/privacy-notice`: Markdown, true of this installation. */
export const PrivacyNotice = z.object({
  version: z.string().describe('The same in each language.'),
  markdown: z.string(),
  language: z.string().nullable().describe('Null for a text of the operator’s own.'),
})
export type PrivacyNotice = z.infer<typeof PrivacyNotice>
