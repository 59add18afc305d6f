import { z } from 'zod'
import { CasesView, EvaluationSummary } from './evaluations.ts'
import { DRAFT, HasChanges, PUBLICATION, PublicationRequest, PublishedNumber, Revision } from './managed-texts.ts'

/** At most 60 KB in UTF-8, so that the text also fits a file. */
const MAX_AGENT_CHARACTERS = 20_000

export const ManagedAgentId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
  .refine((id) => id !== 'me')
/** Id of an agent, from a file or managed. */
export const AnyAgentId = z.string().min(1).max(100)

const AgentText = z.string().min(1).max(MAX_AGENT_CHARACTERS).describe('YAML front matter and instruction, as in the files of agents.')

export const AgentMistake = z.object({
  line: z.int().describe('From 1.'),
  key: z.string().nullable().describe('Key of the front matter, or `instruction`.'),
  message: z.string(),
})
export type AgentMistake = z.infer<typeof AgentMistake>

const ListedAgent = z.object({
  id: AnyAgentId.describe('Id of the agent; the file name if the file has no valid version.'),
  name: z.string().describe('Name that visitors read; empty if no version is valid.'),
  isInForce: z.boolean(),
  problems: z.int().describe('Number of mistakes.'),
})
export const AgentList = z.object({
  files: z.array(ListedAgent.extend({ file: z.string() })),
  managed: z.array(
    ListedAgent.extend({
      published: PublishedNumber,
      hasChanges: HasChanges,
    }),
  ),
  tools: z.array(z.string()).describe('Names that agents may use.'),
})
export type AgentList = z.infer<typeof AgentList>

const Publication = z.object({
  ...PUBLICATION,
  text: z.string(),
  evaluation: z
    .object({ right: z.int(), total: z.int() })
    .nullable()
    .describe('Cases answered right in its latest evaluation when it was published.'),
})
export type Publication = z.infer<typeof Publication>

export const ManagedAgentView = z.object({
  id: ManagedAgentId,
  draft: z.object({ ...DRAFT, text: z.string(), hash: z.string(), mistakes: z.array(AgentMistake) }),
  published: PublishedNumber,
  cases: CasesView,
  evaluations: z.array(EvaluationSummary).describe('Newest first.'),
  publications: z.array(Publication).describe('Newest first.'),
})
export type ManagedAgentView = z.infer<typeof ManagedAgentView>

export const AgentView = z.object({
  file: z
    .object({ name: z.string(), text: z.string(), changedAt: z.iso.datetime(), mistakes: z.array(AgentMistake) })
    .nullable()
    .describe('While a managed agent with the same id is published, that one is live instead.'),
  managed: ManagedAgentView.nullable(),
})
export type AgentView = z.infer<typeof AgentView>

export const NewManagedAgent = z.strictObject({ id: ManagedAgentId, text: AgentText })
export const DraftToSave = z.strictObject({ text: AgentText, basedOn: Revision })
export const TextToCheck = z.strictObject({ text: z.string().max(MAX_AGENT_CHARACTERS) })
export const CheckedText = z.object({ mistakes: z.array(AgentMistake) })
export type CheckedText = z.infer<typeof CheckedText>

export const AgentPublicationRequest = PublicationRequest.extend({
  anyway: z.literal(true).optional().describe('Publishes without a passed evaluation; for owners.'),
})
