import { z } from 'zod'
import { CasesView, EvaluationSummary } from './evaluations.ts'

const Timestamp = z.iso.datetime()
const Who = z.string().describe('Name of the person.')
const Revision = z.int().min(1).describe('Counts the saves.')

/** At most 60 KB in UTF-8, so that the text also fits a file. */
export const MAX_AGENT_CHARACTERS = 20_000

export const ManagedAgentId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
  .refine((id) => id !== 'me')
/** Of an agent, from a file or managed. */
export const AnyAgentId = z.string().min(1).max(100)

const AgentText = z.string().min(1).max(MAX_AGENT_CHARACTERS).describe('YAML front matter and instruction, as in the files of agents.')

export const AgentMistake = z.object({
  line: z.int().describe('From 1.'),
  key: z.string().nullable().describe('Key of the front matter, or `instruction`.'),
  message: z.string(),
})
export type AgentMistake = z.infer<typeof AgentMistake>

const ListedAgent = z.object({
  id: AnyAgentId.describe('Of a file without a valid version, the name of the file.'),
  name: z.string().describe('What visitors read; empty if nothing of it is valid.'),
  isInForce: z.boolean(),
  problems: z.int().describe('Number of mistakes.'),
})
export const AgentList = z.object({
  files: z.array(ListedAgent.extend({ file: z.string() })),
  managed: z.array(
    ListedAgent.extend({
      published: z.int().nullable().describe('Number of the publication in force.'),
      hasChanges: z.boolean().describe('Whether the draft differs from what is published.'),
      hiddenBy: z.string().nullable().describe('File with the same id, which is in force instead.'),
    }),
  ),
  tools: z.array(z.string()).describe('Names that agents may use.'),
})
export type AgentList = z.infer<typeof AgentList>

const Publication = z.object({
  number: z.int(),
  hash: z.string().describe('SHA-256 of the text.'),
  text: z.string(),
  restores: z.int().nullable().describe('Number of the publication whose text it restores.'),
  evaluation: z
    .object({ right: z.int(), total: z.int() })
    .nullable()
    .describe('Cases answered right in its latest evaluation when it was published.'),
  by: Who,
  at: Timestamp,
})
export type Publication = z.infer<typeof Publication>

export const ManagedAgentView = z.object({
  id: ManagedAgentId,
  hiddenBy: z.string().nullable().describe('File with the same id, which is in force instead.'),
  draft: z.object({
    text: z.string(),
    hash: z.string(),
    revision: Revision,
    by: Who,
    at: Timestamp,
    mistakes: z.array(AgentMistake),
  }),
  published: z.int().nullable(),
  cases: CasesView,
  evaluations: z.array(EvaluationSummary).describe('Newest first.'),
  publications: z.array(Publication).describe('Newest first.'),
})
export type ManagedAgentView = z.infer<typeof ManagedAgentView>

export const AgentView = z.object({
  file: z.object({ name: z.string(), text: z.string(), mistakes: z.array(AgentMistake) }).nullable(),
  managed: ManagedAgentView.nullable(),
})
export type AgentView = z.infer<typeof AgentView>

export const NewManagedAgent = z.strictObject({ id: ManagedAgentId, text: AgentText })
export const DraftToSave = z.strictObject({ text: AgentText, basedOn: Revision })
export const TextToCheck = z.strictObject({ text: z.string().max(MAX_AGENT_CHARACTERS) })
export const CheckedText = z.object({ mistakes: z.array(AgentMistake) })
export type CheckedText = z.infer<typeof CheckedText>

export const AgentPublished = z.object({ number: z.int() })
export const PublicationRequest = z.strictObject({
  revision: Revision.describe('Of the draft.'),
  anyway: z.literal(true).optional().describe('Publishes without a passed evaluation; for owners.'),
})
export const RollBackRequest = z.strictObject({ number: z.int().min(1).describe('Of the publication to restore.') })

export const AgentChanged = z.object({ changed: z.literal(true) })
