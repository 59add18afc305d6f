import { z } from 'zod'
import { VISITOR_CHOICES } from '../../../../contract/config.ts'
import { ChosenPersonalDataRules } from '../../../../personal-data/rules.ts'
import { REASONING_EFFORTS } from '../../../models/reasoning-effort.ts'
import { orElse, orNull } from '../../../replies/front-matter.ts'
import type { PolicyDefinition } from '../../../replies/policy.ts'
import { AgentTexts, Languages, line } from './localized-texts.ts'

/** Name of the built-in model in settings and files. */
export const BUILTIN = 'builtin'

/** Pictures are embedded in the page, so they must be few and small. */
const PICTURE = /^[\w-][\w.-]*\.(?:png|jpe?g|webp)$/i
/** A folder below the knowledge folder, or `.` for all of it. */
const FOLDER = /^(?:\.|(?!\.)[^/\\\0]+(?:\/(?!\.)[^/\\\0]+)*)$/

/** Front matter of an agent's file. Empty keys count as missing; `null` means the installation's default. */
export const AgentHeader = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lowercase letters, digits and hyphens')
    .refine((id) => id !== 'me', 'must not be "me", which is the visitor')
    .nullish(),
  picture: orNull(z.string().regex(PICTURE, 'must name a PNG, JPEG or WebP file in the same folder')),
  ...AgentTexts.shape,
  languages: Languages,
  model: orNull(line(200)),
  reasoningEffort: orNull(z.enum(REASONING_EFFORTS, `must be one of ${REASONING_EFFORTS.join(', ')}`)),
  /** Names of its tools; `null` for the search of the knowledge alone. */
  tools: orNull(z.array(line(64)).max(64)),
  /** MCP tools: `server` for all of a server, or `server/tool`. */
  mcp: orElse(z.array(line(200)).max(100), []),
  /** HTTP tools: `api` for all allowed operations, or `api/operationId`. */
  http: orElse(z.array(line(240)).max(100), []),
  /** Tools whose calls need approval, named as in `tools`, `mcp` and `http`. */
  approval: orElse(z.array(line(240)).max(200), []),
  /** MCP tools that run without asking, named as in `mcp`. */
  readOnly: orElse(z.array(line(200)).max(200), []),
  choices: orElse(z.array(z.enum(VISITOR_CHOICES, `must be one of ${VISITOR_CHOICES.join(', ')}`)), []),
  /** Read by `readPolicy`, so that a mistake in it doesn't disable the agent. */
  policy: z.unknown().optional(),
  personalData: orNull(ChosenPersonalDataRules),
  knowledge: orElse(z.array(z.string().regex(FOLDER, 'must be a folder below the knowledge folder, or "."')).max(20), ['.']),
  limits: orElse(
    z.strictObject({
      steps: orNull(z.int().min(1).max(20)),
      answerTokens: orNull(z.int().min(16).max(100_000)),
      answerSeconds: orNull(z.int().min(5).max(600)),
    }),
    { steps: null, answerTokens: null, answerSeconds: null },
  ),
})
type AgentHeader = z.infer<typeof AgentHeader>

/** An agent as its file defines it. Placeholders are not filled in. */
export type AgentDefinition = Omit<AgentHeader, 'id' | 'greeting' | 'starters' | 'policy'> & {
  file: string
  id: string
  greeting: string
  starters: string[]
  policy: PolicyDefinition
  instructions: string
}

/** Creates a definition from a valid header; the file name is the default id. */
export function definitionOf(file: string, header: AgentHeader, policy: PolicyDefinition, instructions: string): AgentDefinition {
  const { id, name, greeting, starters } = header
  const texts = { greeting: greeting ?? name, starters: starters ?? [] }
  return { ...header, ...texts, file, id: id ?? idOfFile(file), policy, instructions }
}

/** The id of an agent without an `id` of its own: its file's name in lower case, without `.md`. */
export function idOfFile(file: string): string {
  return file.replace(/\.md$/i, '').toLowerCase()
}
