import { z } from 'zod'
import { ANSWER_STATES } from '../../chat/answer-state.ts'

const Timestamp = z.iso.datetime()
const Who = z.string().describe('Name of the person.')

const MAX_CASES_CHARACTERS = 60_000
export const MAX_CASES = 100
export const MAX_CASE_PROMPTS = 150
/** Evaluations kept of an agent; the oldest are deleted. */
export const MAX_EVALUATIONS = 20

const EVALUATION_STATUSES = ['running', 'done', 'stopped', 'timed_out', 'interrupted'] as const
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number]

export const CasesView = z.object({
  text: z.string().describe('YAML in the format of `parley eval`; empty for none.'),
  revision: z.int().describe('Counts the saves, from 0.'),
  by: Who.nullable(),
  at: Timestamp.nullable(),
  count: z.int(),
})
export type CasesView = z.infer<typeof CasesView>

export const CasesToSave = z.strictObject({ text: z.string().max(MAX_CASES_CHARACTERS), basedOn: z.int().min(0) })

export const EvaluationSummary = z.object({
  number: z.int(),
  status: z.enum(EVALUATION_STATUSES),
  hash: z.string().describe('SHA-256 of the text that was evaluated.'),
  isCurrent: z.boolean().describe('Whether the draft and the cases are still the same.'),
  total: z.int().describe('Number of cases.'),
  asked: z.int().describe('Number of cases asked so far.'),
  right: z.int().describe('Number of cases answered right; 0 until it has ended.'),
  by: Who,
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
})
export type EvaluationSummary = z.infer<typeof EvaluationSummary>

const EvaluatedTurn = z.object({
  prompt: z.string(),
  text: z.string().describe('The answer, cut after 4,000 characters.'),
  state: z.enum(ANSWER_STATES).nullable(),
  sources: z.array(z.string()).describe('Files.'),
  faults: z.array(z.string()).describe('Empty if the answer is right.'),
  seconds: z.number(),
})
export const EvaluatedCase = z.object({ name: z.string(), isRight: z.boolean(), turns: z.array(EvaluatedTurn) })
export type EvaluatedCase = z.infer<typeof EvaluatedCase>

export const Evaluation = EvaluationSummary.extend({ cases: z.array(EvaluatedCase).describe('Empty until it has ended.') })
export type Evaluation = z.infer<typeof Evaluation>

export const EvaluationRequest = z.strictObject({ revision: z.int().min(1).describe('Revision of the draft.') })
export const EvaluationStarted = z.object({ number: z.int() })
