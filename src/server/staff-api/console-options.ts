import type { PrivacyNotice } from '../../contract/config.ts'
import type { ApprovedDraft, ApprovedProblem } from '../../contract/staff/content/approved-answers.ts'
import type { SearchTestResult } from '../../contract/staff/content/search-test.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import type { RuntimeLimits } from '../limits/runtime-limits.ts'
import type { AnswerState, ListedApprovedFile } from '../replies/approved/approved-answers.ts'
import type { AnswerMessages } from '../insights/evaluation/draft-chat.ts'
import type { AuditLog } from '../staff/audit.ts'
import type { Passkeys } from '../staff/passkeys.ts'
import type { ProviderSignIn } from '../staff/provider-sign-in.ts'
import type { StaffTokens } from '../staff/staff-tokens.ts'
import type { StaffAccess } from '../staff/staff-access.ts'
import type { Database } from '../store/engine/database.ts'
import type { Evaluations } from './evaluations.ts'
import type { StaffCookie } from './staff-cookie.ts'

/** Knowledge operations of the console. */
export interface ConsoleKnowledge {
  /** The indexed documents by file, at most so many. */
  documents: (limit: number) => Promise<IndexedFacts[]>
  /** Problems for staff, in sentences that begin with their subject. */
  problems: () => readonly string[]
  /** Websites of `sources.yaml`. */
  websites: () => readonly { id: string; website: readonly string[] }[]
  /** Adds a website to `sources.yaml` and returns its id. @throws {SourceActionError} */
  add: (address: string) => Promise<string>
  /** Reads a website soon; `false` if `sources.yaml` doesn't name it. */
  sync: (source: string) => boolean
  /** Bounds on uploads: of a document, of their number, of all their versions. */
  limits: { bytes: number; count: number; totalBytes: number }
}

/** Facts about a document in the index. */
export interface IndexedFacts {
  file: string
  title: string
  asOf: string | null
  passages: number
  bytes: number | null
  /** English name. */
  language: string | null
}

/** A mistake in the text of an agent. */
interface TextMistake {
  line: number
  key?: string
  message: string
}

/** The agents of the server. */
export interface ConsoleAgents {
  /** Files of the agents' folder; `id` is `null` without a valid version. */
  files: () => Promise<{ name: string; id: string | null; text: string; changedAt: Date; mistakes: readonly TextMistake[] }[]>
  inForce: () => readonly { id: string; name: string }[]
  /** Names of the tools that agents may use. */
  tools: readonly string[]
  /** Makes an agent of a text that answers without a stored chat; `null` if it has mistakes. */
  trial: (id: string, text: string) => Promise<AnswerMessages | null>
  /** Asks the live agent with this id; `undefined` without one. */
  live: (id: string) => AnswerMessages | undefined
  /** `name` is `null` if no agent can be made of the text. */
  check: (id: string, text: string) => Promise<{ mistakes: readonly TextMistake[]; name: string | null }>
}

/** The approved answers of the server, those of files and those that staff manage. */
export interface ConsoleApprovedAnswers {
  files: () => ListedApprovedFile[]
  /** Whether prompts are compared by meaning, too. */
  comparesMeaning: () => boolean
  /** State of a published managed answer. */
  stateOf: (id: string) => AnswerState
  /** The file that is in force instead of a managed answer. */
  hiddenBy: (id: string) => string | null
  /** Names of the agents that give them. */
  givers: () => readonly string[]
  check: (id: string, draft: ApprovedDraft) => ApprovedProblem[]
}

/** Dependencies of the console's routes. */
export interface ConsoleRouteOptions {
  database: Database
  audit: AuditLog
  access: StaffAccess
  tokens: StaffTokens
  /** `null` if staff sign in with passkeys alone. */
  provider: ProviderSignIn | null
  passkeys: () => Passkeys
  cookie: StaffCookie
  /** Origin under which staff open the console. */
  origin: () => string
  agents: ConsoleAgents
  evaluations: Evaluations
  approvedAnswers: ConsoleApprovedAnswers
  status: () => Promise<InstallationStatus>
  /** Searches the knowledge of an agent; `undefined` without such an agent. */
  testSearch: (agent: string, query: string) => Promise<SearchTestResult | undefined>
  knowledge: ConsoleKnowledge
  /** Chats without activity for so long are deleted, and not read any more. */
  retentionMs: number
  limits: RuntimeLimits
  /** Puts what staff have changed into force, here before it resolves. Runs before the reply to each change. */
  applyChanges: () => Promise<void>
  /** The privacy notice as visitors read it, in a language. */
  noticeIn: (language: string | undefined) => PrivacyNotice
  /** Whether staff can read chats whose visitors have accepted that. */
  staffReading: boolean
  installationKey: string
  /** Hosts whose webhooks may be private, and use http. */
  webhookHosts: readonly string[]
  now: () => number
}
