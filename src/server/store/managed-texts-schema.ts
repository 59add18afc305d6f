import type { Generated } from 'kysely'
import type { EvaluationStatus } from '../../contract/staff/evaluations.ts'

/** A text that staff manage, with its draft. */
interface ManagedTextTable {
  id: string
  draft: string
  /** Counts the saves of the draft, from 1. */
  draft_revision: number
  /** Id of the person, or `operator`. */
  draft_by: string
  draft_at: number
  /** Number of the publication in force; `null` if none is. */
  published: Generated<number | null>
  created_at: number
}

/** A text that was put into force, in the order of `number`. */
interface PublicationTable {
  number: number
  /** SHA-256 of the text, hex. */
  hash: string
  content: string
  /** Number of the earlier publication that this one restores. */
  restores: number | null
  published_by: string
  published_at: number
}

/** What an agent is asked before it is published. */
interface AgentCases {
  /** YAML of the evaluator's format; empty for none. */
  cases: Generated<string>
  /** Counts the saves of the cases, from 0. */
  cases_revision: Generated<number>
  /** Like `draft_by`; `null` before the first save. */
  cases_by: Generated<string | null>
  cases_at: Generated<number | null>
}

/** Of a publication: its latest evaluation when it was published; `null` if it had none. */
interface EvaluatedPublication {
  cases_right: Generated<number | null>
  cases_total: Generated<number | null>
}

/** A run of an agent's cases on its draft, in the order of `number`. */
interface AgentEvaluationTable {
  agent_id: string
  number: number
  /** Of the draft, and of the cases. */
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
  /** Texts are in the format of the files of agents. */
  managed_agents: ManagedTextTable & AgentCases
  agent_publications: PublicationTable & EvaluatedPublication & { agent_id: string }
  agent_evaluations: AgentEvaluationTable
  /** Texts are JSON, `ApprovedDraft` of the contract. */
  approved_answers: ManagedTextTable
  approved_publications: PublicationTable & { answer_id: string }
}
