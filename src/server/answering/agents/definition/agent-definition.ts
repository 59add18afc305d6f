import { z } from 'zod'
import { VISITOR_CHOICES, type VisitorChoice } from '../../../../contract/chat/answer-preferences.ts'
import { ChosenPersonalDataRules } from '../../../../personal-data/rules.ts'
import { REASONING_EFFORTS, type ReasoningEffort } from '../../../models/reasoning-effort.ts'
import type { PolicyDefinition } from '../../../replies/policy.ts'
import { AgentTexts, Languages, type TextsByLanguage, textsByLanguage } from './localized-texts.ts'

/** Name of the built-in model in settings and files. */
export const BUILTIN = 'builtin'

/** Pictures are embedded in the page, so they must be few and small. */
const PICTURE = /^[\w-][\w.-]*\.(?:png|jpe?g|webp)$/i
/** A folder below the knowledge folder, or `.` for all of it. */
const FOLDER = /^(?:\.|(?!\.)[^/\\\0]+(?:\/(?!\.)[^/\\\0]+)*)$/

const line = (maxCharacters: number) => z.string().trim().min(1).max(maxCharacters)

/** Front matter of an agent's file. Empty keys count as missing. */
export const AgentHeader = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lowercase letters, digits and hyphens')
    .refine((id) => id !== 'me', 'must not be "me", which is the visitor')
    .nullish(),
  picture: z.string().regex(PICTURE, 'must name a PNG, JPEG or WebP file in the same folder').nullish(),
  ...AgentTexts.shape,
  languages: Languages,
  model: line(200).nullish(),
  reasoningEffort: z.enum(REASONING_EFFORTS, `must be one of ${REASONING_EFFORTS.join(', ')}`).nullish(),
  tools: z.array(line(64)).max(64).nullish(),
  mcp: z.array(line(200)).max(100).nullish(),
  http: z.array(line(240)).max(100).nullish(),
  approval: z.array(line(240)).max(200).nullish(),
  readOnly: z.array(line(200)).max(200).nullish(),
  choices: z.array(z.enum(VISITOR_CHOICES, `must be one of ${VISITOR_CHOICES.join(', ')}`)).nullish(),
  /** Read by `readPolicy`, so that a mistake in it doesn't disable the agent. */
  policy: z.unknown().optional(),
  personalData: ChosenPersonalDataRules.nullish(),
  knowledge: z.array(z.string().regex(FOLDER, 'must be a folder below the knowledge folder, or "."')).max(20).nullish(),
  limits: z
    .strictObject({
      steps: z.int().min(1).max(20).nullish(),
      answerTokens: z.int().min(16).max(100_000).nullish(),
      answerSeconds: z.int().min(5).max(600).nullish(),
    })
    .nullish(),
})
type AgentHeader = z.infer<typeof AgentHeader>

/** An agent as its file defines it. Placeholders are not filled in; `null` means the installation's default. */
export interface AgentDefinition {
  file: string
  id: string
  name: string
  /** Name of a picture in the same folder. */
  picture: string | null
  greeting: string
  starters: string[]
  languages: TextsByLanguage
  model: string | null
  reasoningEffort: ReasoningEffort | null
  /** Names of its tools; `null` for all. */
  tools: string[] | null
  /** MCP tools: `server` for all of a server, or `server/tool`. */
  mcp: string[]
  /** HTTP tools: `api` for all allowed operations, or `api/operationId`. */
  http: string[]
  /** Tools whose calls need approval, named as in `tools`, `mcp` and `http`. */
  approval: string[]
  /** MCP tools that run without asking, named as in `mcp`. */
  readOnly: string[]
  choices: VisitorChoice[]
  /** Folders below the knowledge folder. */
  knowledge: string[]
  policy: PolicyDefinition
  /** `null` for the installation's rules. */
  personalData: ChosenPersonalDataRules | null
  limits: { steps: number | null; answerTokens: number | null; answerSeconds: number | null }
  instructions: string
}

/** Creates a definition from a valid header; the file name is the default id. */
export function definitionOf(file: string, header: AgentHeader, policy: PolicyDefinition, instructions: string): AgentDefinition {
  const { id, name, picture, greeting, starters, languages, model, reasoningEffort, tools } = header
  const { mcp, http, approval, readOnly, choices, knowledge, personalData, limits } = header
  return {
    file,
    id: id ?? idOfFile(file),
    name,
    picture: picture ?? null,
    greeting: greeting ?? name,
    starters: starters ?? [],
    languages: textsByLanguage(languages),
    model: model ?? null,
    reasoningEffort: reasoningEffort ?? null,
    tools: tools ?? null,
    mcp: mcp ?? [],
    http: http ?? [],
    approval: approval ?? [],
    readOnly: readOnly ?? [],
    choices: choices ?? [],
    knowledge: knowledge ?? ['.'],
    policy,
    personalData: personalData ?? null,
    limits: { steps: limits?.steps ?? null, answerTokens: limits?.answerTokens ?? null, answerSeconds: limits?.answerSeconds ?? null },
    instructions,
  }
}

/** The id of an agent without an `id` of its own: its file's name in lower case, without `.md`. */
export function idOfFile(file: string): string {
  return file.replace(/\.md$/i, '').toLowerCase()
}
