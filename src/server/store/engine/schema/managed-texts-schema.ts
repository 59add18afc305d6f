import type { Generated } from 'kysely'
import type { EvaluationStatus } from '../../../../contract/staff/content/evaluations.ts'

export type ManagedKind = 'agent' | 'approved-answer' | 'document' | 'embed'

/** A text that staff manage, with its draft. */
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
  /** Number of the version in force; `null` if none is. */
  published: Generated<number | null>
  created_at: number
  /** Cases of an agent, YAML of the evaluator's format; empty for none. */
  cases: Generated<string>
  /** Counts the saves of the cases, from 0. */
  cases_revision: Generated<number>
  /** Like `draft_by`; `null` before the first save. */
  cases_by: Generated<string | null>
  cases_at: Generated<number | null>
}

/** A text that was put into force, in the order of `number`. */
interface ManagedVersionTable {
  kind: ManagedKind
  id: string
  number: number
  /** SHA-256 of the text, or of a document's file, hex. */
  hash: string
  /** Like the draft; for a document, the facts of its file, JSON. */
  text: string
  /** Number of the earlier version that this one restores. */
  restores: number | null
  published_by: string
  published_at: number
  /** Latest evaluation of an agent when it was published; `null` if it had none. */
  cases_right: number | null
  cases_total: number | null
  /** Text of a document's file: `ExtractedDocument`, JSON; `null` for other kinds. */
  document: string | null
  /** A document's file; `null` for other kinds. */
  bytes: Uint8Array | null
}

/** A run of an agent's cases on its draft, in the order of `number`. */
interface AgentEvaluationTable {
  agent_id: string
  number: number
  /** Hash of the draft. */
  text_hash: string
  cases_hash: string
  status: EvaluationStatus
  /** Number of cases, and of those asked so far. */
  total: number
  asked: Generated<number>
  /** Number of cases answered right; 0 until it has ended. */
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
