import { z } from 'zod'
import { Banner } from './banner.ts'
import { AcceptedFiles } from './chat/files.ts'
import { ResolvedPersonalDataRules } from '../personal-data/rules.ts'
import { RequestedLanguage } from './language.ts'

/** Choices that an agent's file can offer. */
export const VISITOR_CHOICES = ['simpler'] as const
export type VisitorChoice = (typeof VISITOR_CHOICES)[number]

/** Version of the privacy notice: the beginning of its hash. */
export const NoticeVersion = z.string().regex(/^[0-9a-f]{16}$/)

const PublicModel = z.object({
  label: z.string().describe('Display name of the model.'),
  provider: z.string().nullable().describe('Provider that receives the prompts; null if the model runs on this server.'),
  acceptedFiles: AcceptedFiles.describe('Files that can be attached to a prompt: `none`, `text` (with PDFs), or `images` too.'),
})

/** Ways to a person. */
const PublicHandover = z.object({
  messages: z.boolean().describe('Whether visitors can leave messages to staff, as reports about a prompt.'),
  contacts: z.array(z.object({ label: z.string(), url: z.string().describe('`https:`, `http:`, `mailto:` or `tel:`.') })),
  presence: z
    .object({
      isOpen: z.boolean(),
      until: z.iso.datetime().nullable().describe('When that changes; null if not soon.'),
      timeZone: z.string().describe('Where staff are, to tell that time in.'),
    })
    .nullable()
    .describe('Whether staff are there; null if the agent’s file has no hours.'),
})
export type PublicHandover = z.infer<typeof PublicHandover>

export const PublicAgent = z.object({
  id: z.string(),
  name: z.string(),
  picture: z.string().nullable().describe('A `data:` URL.'),
  greeting: z.string(),
  starters: z.array(z.string()).describe('Suggested first prompts, at most 6.'),
  model: PublicModel,
  choices: z.array(z.enum(VISITOR_CHOICES)).describe('Choices that visitors have about answers.'),
  handover: PublicHandover.nullable().describe('Ways to a person; null for none.'),
  personalData: ResolvedPersonalDataRules.describe(
    'Action for each kind of personal data in prompts; the page asks or masks before it sends them.',
  ),
})
export type PublicAgent = z.infer<typeof PublicAgent>

const BrandingLink = z.object({ label: z.string(), url: z.string() })
/** A link of the operator, such as an imprint or terms. */
export type BrandingLink = z.infer<typeof BrandingLink>

const Branding = z.object({
  colors: z
    .object({ light: z.string().nullable(), dark: z.string().nullable() })
    .nullable()
    .describe('Accent colours as `#rrggbb`; null for the default.'),
  logo: z.string().nullable().describe('Address of an image.'),
  welcomeLine: z.string().nullable().describe('Shown below the greeting of an empty chat.'),
  links: z.array(BrandingLink).describe('Shown in the footer of the page.'),
})

/** Values of the figures and the header `Embedded` that no embed can have as its name. */
const RESERVED_NAMES = ['api', 'other', 'page', 'true']

/** Name of an embed in `embeds.yaml`. */
export const EmbedName = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/)
  .refine((name) => !RESERVED_NAMES.includes(name))

export const ConfigurationQuery = z.strictObject({
  language: RequestedLanguage,
  embed: z.string().max(40).optional().describe('Name of an embed in `embeds.yaml`: the agent is then that of the embed, with its texts.'),
})

/** Lifetime of chats in frames of other sites: as on the page itself, or until the visit ends. */
export const FrameChats = z.enum(['remember', 'visit'])
export type FrameChats = z.infer<typeof FrameChats>

/** `GET /api/v1/config`: facts about the installation. Needs no consent and contains nothing about the visitor. */
export const PublicConfiguration = z.object({
  name: z.string().describe('Name of the installation, the title of the page.'),
  branding: Branding,
  banner: Banner.nullable().describe('Message of the operator to every visitor; null if none.'),
  agent: PublicAgent.describe('The default agent.'),
  agents: z.array(PublicAgent).describe('All agents, the default first.'),
  voiceInput: z.boolean().describe('Whether the page offers dictation, in browsers that support it.'),
  privacy: z.object({
    noticeVersion: NoticeVersion.describe('Changes when the notice changes; the page then asks for consent again.'),
    staffReading: z
      .boolean()
      .describe(
        'Whether the operator’s staff can read prompts that are sent with `acceptedNotice`, and their answers. The notice says so in its first lines.',
      ),
    retentionDays: z.number().int().describe('Days after its last activity when a chat is deleted; 0 means one hour.'),
    frameChats: FrameChats.describe(
      'Lifetime of chats on sites that embed the page. `visit`: until the browser is closed, and at most 2 hours after their last use.',
    ),
    contact: z.string().nullable(),
    recipients: z.array(z.string()).describe('Who else receives messages or parts of them: providers and hosts. Empty if nobody.'),
  }),
})
export type PublicConfiguration = z.infer<typeof PublicConfiguration>

export const PrivacyNoticeQuery = z.strictObject({ language: RequestedLanguage })

/** `GET /api/v1/privacy-notice`: the notice of this installation, in Markdown. */
export const PrivacyNotice = z.object({
  version: NoticeVersion.describe('The same in all languages.'),
  markdown: z.string(),
  language: z.string().nullable().describe('Null if the operator wrote the notice.'),
})
export type PrivacyNotice = z.infer<typeof PrivacyNotice>
