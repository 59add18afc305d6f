import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { EmbedName } from '../../contract/config.ts'
import type { EmbedText } from '../../contract/staff/content/embeds.ts'
import { PAGE_LANGUAGES } from '../../contract/page-languages.ts'
import { PromptsPerDay } from '../../contract/staff/content/embeds.ts'
import { AgentTexts } from '../answering/agents/definition/localized-texts.ts'
import { COLORS } from './branding-settings.ts'
import { isOrigin } from './host-names.ts'

export const EMBEDS = 'embeds.yaml'

const { name: line, greeting, starters } = AgentTexts.shape
const Texts = { label: line.optional(), greeting: greeting.optional(), starters: starters.unwrap().unwrap().optional() }

/** An embed that pages name by `data-embed`. */
export const Embed = z.strictObject({
  agent: z.string().optional(),
  origins: z.array(z.string().refine(isOrigin, 'must be an origin like https://www.example.org, without a path')).optional(),
  ...Texts,
  languages: z.partialRecord(z.enum(PAGE_LANGUAGES), z.strictObject(Texts)).optional(),
  color: z
    .string()
    .regex(COLORS, 'must be a colour like "#14634b", or one for each theme like "#14634b, #82d3b3"')
    .transform((colors) => {
      const [, light = '', dark = light] = COLORS.exec(colors) ?? []
      return `light-dark(${light}, ${dark})`
    })
    .optional(),
  theme: z.enum(['light', 'dark']).optional(),
  promptsPerDay: PromptsPerDay.optional(),
})
export type Embed = z.infer<typeof Embed>

/** Texts of an embed as a file has them, in one language. */
export function embedTextOf(embed: Embed): EmbedText {
  const { languages: _, color, greeting: first, ...texts } = embed
  // Undoes `light-dark(…)`.
  return { ...texts, ...(first && { greeting: first }), ...(color && { color: color.slice(11, -1) }) }
}

/** The embeds of `embeds.yaml` in the folder of the agents, which may be missing, and its mistakes. */
export function readEmbeds(folder: string): { embeds: ReadonlyMap<string, Embed>; mistakes: string[] } {
  try {
    const parsed = z
      .record(EmbedName, Embed)
      .nullable()
      .safeParse(parse(readFileSync(join(folder, EMBEDS), 'utf8'), { maxAliasCount: 0 }))
    if (parsed.success) return { embeds: new Map(Object.entries(parsed.data ?? {})), mistakes: [] }
    return { embeds: new Map(), mistakes: parsed.error.issues.map(mistakeOf) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const mistakes =
      code === 'ENOENT' ? [] : [code ? `${EMBEDS} can’t be read (${code})` : `${EMBEDS} is not YAML: ${message.split('\n', 1)[0]}`]
    return { embeds: new Map(), mistakes }
  }
}

function mistakeOf(issue: z.core.$ZodIssue): string {
  const key = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') return `${EMBEDS}: ${key} has no key ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_key')
    return `${EMBEDS}: "${key}" must be a name of small letters, digits and -, and not api, other, page or true`
  return `${EMBEDS}: ${key} ${issue.message}`
}

/** An embed's texts in a language, as far as it has them. */
export function embedTexts({ label, greeting: first, starters: some, languages }: Embed, language: string | undefined) {
  const localized = PAGE_LANGUAGES.find((known) => known === language)
  return { label, greeting: first, starters: some, ...(localized && languages?.[localized]) }
}
