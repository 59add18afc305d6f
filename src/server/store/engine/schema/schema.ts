import type { Generated } from 'kysely'
import type { AnswerState } from '../../../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import type { FileType } from '../../../../contract/chat/files.ts'
import type { FiguresSchema } from './figures-schema.ts'
import type { ReadingSchema, ReportsSchema } from './reports-schema.ts'
import type { SourcesSchema } from './sources-schema.ts'
import type { ManagedTextsSchema } from './managed-texts-schema.ts'
import type { StaffSchema } from './staff-schema.ts'
import type { StopInForce } from '../../../../contract/staff/stops.ts'
import type { TurnStatus } from '../../../../contract/chat/turn-status.ts'

// Times are milliseconds since the epoch. JSON is text in both databases. Booleans are 0 and 1.

interface VisitorTable {
  /** `v_` and 26 base32 characters; public, authorizes nothing. */
  id: string
  created_at: number
  /** When they last withdrew what lets staff read: a prompt that arrived before doesn't count as an acceptance. */
  notices_withdrawn_at: Generated<number | null>
}

interface VisitorKeyTable {
  /** SHA-256 of the visitor key, hex. The key itself is stored nowhere. */
  key_hash: string
  visitor_id: string
  created_at: number
  /** From then on it opens nothing; null for a key that lasts as long as its visitor. */
  expires_at: number | null
  /** The key itself, sealed under its first request's idempotency key; null without one, and once the key has been used. */
  sealed_key: Generated<string | null>
}

interface SessionTable {
  id: string
  /** The principal it belongs to: a visitor's id, or the HMAC of an id that a client chose. */
  owner: string
  agent: string
  title: string
  /** 1 while the id alone opens it: from its making without a credential until the first use with one. */
  open_by_id: number
  /** 1 for a chat that is deleted soon after its turn has ended, and never listed. */
  temporary: number
  /** Position of the last message of the current branch; 0 before there is one. */
  leaf: Generated<number>
  created_at: number
  /** Time of the last activity: sorts lists and starts retention. Renaming or pinning doesn't change it. */
  updated_at: number
}

interface MessageTable {
  id: string
  session_id: string
  /** From 1 within a session, in the order of being stored. */
  position: number
  /** Position of the message that it follows, smaller than its own; 0 for one that begins the session. */
  parent: number
  role: 'user' | 'assistant'
  /** The turn that wrote this answer; null for prompts. */
  turn_id: string | null
  /** The AI SDK's message parts, JSON. */
  parts: string
  /** `MessageMetadata` without `turnId`, JSON. */
  metadata: string
  created_at: number
}

interface FileColumns {
  id: string
  name: string
  /** By its content. */
  media_type: FileType
  size: number
  created_at: number
  /** Text for a model; null for an image. */
  text: string | null
  content: Uint8Array
}

/** A file that was sent and that no prompt has taken. */
interface WaitingFileTable extends FileColumns {
  owner: string
}

interface FileTable extends FileColumns {
  session_id: string
}

interface TurnTable {
  id: string
  session_id: string
  /** The message that asks; its answer follows it, once the turn has ended. */
  prompt_id: string
  status: TurnStatus
  code: ErrorCode | null
  state: Generated<AnswerState | null>
  /** SHA-256 of what the answer was made from, in `version_texts`; null before the end and after a crash. */
  agent_hash: Generated<string | null>
  policy_hash: Generated<string | null>
  knowledge_hash: Generated<string | null>
  /** Name of the model that answered; null for a fixed reply. */
  model: Generated<string | null>
  instance: string
  started_at: number
  ended_at: number | null
  /** 1 when somebody has asked, at a process that does not run it, to stop it. */
  stop_requested: Generated<number>
  /** `BudgetReservation[]`, JSON; null if it costs nothing. */
  reservations: string | null
}

interface FeedbackTable {
  session_id: string
  position: number
  thumb: 'up' | 'down'
  reason: string | null
  given_at: number
}

/** A code that opens a visitor's chats on one more device, once. */
interface TransferTable {
  /** SHA-256 of the code, hex. The code itself is stored nowhere. */
  code_hash: string
  visitor_id: string
  expires_at: number
}

interface IdempotencyKeyTable {
  /** The principal whose key it is, or nothing for callers without one. */
  scope: string
  key_hash: string
  /** SHA-256 of all that the request asked for, hex. */
  request_hash: string
  turn_id: string
  created_at: number
}

interface QuotaCountTable {
  /** Which quota, of whom, and when its window begins; an address only as its HMAC under the salt of the day. */
  key: string
  count: number
  ends_at: number
}

interface AddressSaltTable {
  /** Days since the epoch. */
  day: number
  salt: string
}

/** Events of a running turn, several a row, until its end makes one message of them. */
interface TurnEventTable {
  turn_id: string
  /** Events are numbered from 1 within a turn, gapless. */
  first_seq: number
  last_seq: number
  /** The AI SDK's UI message chunks, one for each number, a JSON array. */
  chunks: string
}

interface InstallationFactTable {
  name: string
  value: string
}

/** Texts that answers were made from, kept as long as a turn names them. */
interface VersionTextTable {
  hash: string
  kind: string
  content: string
  /** When a turn that names it was stored last, within an hour. */
  seen_at: number
}

interface StopTable {
  id: string
  kind: StopInForce['scope']
  /** Target of the stop, by its kind; empty for everything. */
  target: string
  /** JSON: prompts that belong to a topic. */
  examples: string
  /** Reply to visitors; null for a general sentence. */
  reply: string | null
  reason: string
  created_at: number
}

interface ProcessTable {
  /** The `instance` of its turns. */
  id: string
  /** Incremented while the process lives. Not a time, since clocks jump. */
  heartbeat: number
}

interface BudgetTable {
  /** Whose, of what and for which time. */
  account: string
  spent: number
  /** For turns that run, or whose process died. */
  reserved: number
  ends_at: number
}

interface AdjustedLimitTable {
  /** As in `adjustable-limits.ts`. */
  name: string
  /** In the unit in which it is counted: money in billionths. */
  value: number
  changed_at: number
  changed_by: string
}

/** Actions of staff and operators, without any text of visitors. */
interface AuditLogTable {
  number: number
  at: number
  /** `operator` for a command on the server. */
  actor: string
  action: string
  /** Keyed hash of what was acted on. */
  target: string | null
  /** Keyed hash of this entry and of the previous one's `hash`. */
  hash: string
}

export interface Schema extends StaffSchema, FiguresSchema, ManagedTextsSchema, ReportsSchema, ReadingSchema, SourcesSchema {
  budgets: BudgetTable
  quota_counts: QuotaCountTable
  adjusted_limits: AdjustedLimitTable
  address_salts: AddressSaltTable
  visitors: VisitorTable
  visitor_keys: VisitorKeyTable
  transfers: TransferTable
  sessions: SessionTable
  messages: MessageTable
  feedback: FeedbackTable
  waiting_files: WaitingFileTable
  files: FileTable
  turns: TurnTable
  idempotency_keys: IdempotencyKeyTable
  turn_events: TurnEventTable
  processes: ProcessTable
  installation_facts: InstallationFactTable
  stops: StopTable
  version_texts: VersionTextTable
  audit_log: AuditLogTable
}

/** The tables that any query may name. Queries on sessions begin in `access.ts`. */
export type GuardedSchema = Omit<Schema, 'sessions'>
