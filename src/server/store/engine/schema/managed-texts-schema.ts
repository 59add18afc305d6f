import type { Generated } from 'kysely'
import type { EvaluationStatus } from '../../../../contract/staff/content/evaluations.ts'

export type ManagedKind = 'agent' | 'approved-answer' | 'document' | 'embed'

interface ManagedTextTable {
  kind: ManagedKind
  id: string
  /** Name of a document's file, by which it is cited, in small and capital letters as it was sent; `null` for other kinds. */
  name: string | null
  /** Agent: text in the format of the files of agents. Approved answer: `ApprovedDraft`, JSON. Document: its facts, JSON. Embed: its text, JSON. */
  draft: string
  /** Counts the changes of the draft, from 1; those of a document count its versions too. */
  draft_revision: number
  /** Id of the person, or `operator`. */
  draft_by: string
  draft_at: number
  published: Generated<number | null>
  created_at: number
  /** Cases of an agent, YAML of the evaluator's format; empty for none. */
  cases: Generated<string>
  cases_revision: Generated<number>
  cases_by: Generated<string | null>
  cases_at: Generated<number | null>
}

interface ManagedVersionTable {
  kind: ManagedKind
  id: string
  number: number
  /** SHA-256 of the text, or of a document's file, hex. */
  hash: string
  /** Like the draft; for a document, the facts of its file, JSON. */
  text: string
  restores: number | null
  published_by: string
  published_at: number
  /** Latest evaluation of an agent when it was published; `null` if it had none. */
  cases_right: number | null
  cases_total: number | null
  /** Text of a document's file: `ExtractedDocument`, JSON; `null` for other kinds. */
  document: string | null
  bytes: Uint8Array | null
}

interface AgentEvaluationTable {
  agent_id: string
  number: number
  text_hash: string
  cases_hash: string
  status: EvaluationStatus
  total: number
  asked: Generated<number>
  right_count: Generated<number>
  /** JSON; empty until it has ended. */
  results: string
  started_by: string
  started_at: number
  /** When the process that runs it wrote last. */
  seen_at: number
  ended_at: number | null
  is_stop_asked: Generated<number>
}

export interface ManagedTextsSchema {
  managed_texts: ManagedTextTable
  managed_versions: ManagedVersionTable
  agent_evaluations: AgentEvaluationTable
}
