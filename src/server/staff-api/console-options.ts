import type { FastifyRequest } from 'fastify'
import type { ModelConnection, ModelTested } from '../../contract/staff/model.ts'
import type { SearchTestResult } from '../../contract/staff/content/search-test.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import type { Embed } from '../config/embeds-file.ts'
import type { RuntimeLimits } from '../limits/runtime-limits.ts'
import type { DocumentFacts } from '../knowledge/retrieval/documents.ts'
import type { ApprovedAnswers } from '../replies/approved/approved-answers.ts'
import type { PlacedMistake } from '../replies/front-matter.ts'
import type { AnswerMessages } from '../insights/evaluation/draft-chat.ts'
import type { AuditAction } from '../../contract/staff/audit-actions.ts'
import type { AuditLog } from '../staff/audit.ts'
import type { Passkeys } from '../staff/passkeys.ts'
import type { ProviderSignIn } from '../staff/provider-sign-in.ts'
import type { StaffTokens } from '../staff/staff-tokens.ts'
import type { StaffAccess } from '../staff/staff-access.ts'
import type { InstallationKeys } from '../keys.ts'
import type { Database } from '../store/engine/database.ts'
import type { RecordChange } from '../store/staff/audit-log.ts'
import type { Evaluations } from './evaluations.ts'
import type { StaffCookie } from './staff-cookie.ts'

export interface ConsoleKnowledge {
  /** The indexed documents by file, at most so many. */
  documents: (limit: number) => Promise<DocumentFacts[]>
  /** Problems for staff, in sentences that begin with their subject. */
  problems: () => readonly string[]
  /** Websites of `sources.yaml`. */
  websites: () => readonly { id: string; website: readonly string[] }[]
  /** Adds a website to `sources.yaml` and returns its id. @throws {SourceActionError} */
  add: (address: string) => Promise<string>
  /** Reads a website soon; `false` if `sources.yaml` doesn't name it. */
  sync: (source: string) => boolean
  limits: { bytes: number; count: number; totalBytes: number }
  /** Whether scanned pages of uploaded documents are recognised. */
  usesOcr: boolean
}

export interface ConsoleAgents {
  /** Files of the agents' folder; `id` is `null` without a valid version. */
  files: () => Promise<{ name: string; id: string | null; text: string; changedAt: Date; mistakes: readonly PlacedMistake[] }[]>
  inForce: () => readonly { id: string; name: string }[]
  tools: readonly string[]
  /** Names of the agents that give approved answers. */
  approvedGivers: () => readonly string[]
  /** Makes an agent of a text that answers without a stored chat; `null` if it has mistakes. */
  trial: (id: string, text: string) => Promise<AnswerMessages | null>
  live: (id: string) => AnswerMessages | undefined
  /** `name` is `null` if no agent can be made of the text. */
  check: (id: string, text: string) => Promise<{ mistakes: readonly PlacedMistake[]; name: string | null }>
}

/** The model of the server, and the one that owners connect. */
export interface ConsoleModel {
  /** Whether the environment sets it: a connected one isn't used then. */
  isSetByEnvironment: boolean
  /** Label of the model that answers. */
  label: string
  /** The connection with which this process has started, as it is stored; `null` without one. */
  live: string | null
  /** Why a connection can't be used with the settings, as a sentence; `null` if it can. */
  mistake: (connection: ModelConnection) => string | null
  /** Asks the model of a connection once. */
  test: (connection: ModelConnection) => Promise<ModelTested>
}

export interface ConsoleRouteOptions {
  database: Database
  audit: AuditLog
  /** Records in the transaction of a change who has requested it. */
  record: (request: FastifyRequest, action: AuditAction, target: string | null) => RecordChange
  access: StaffAccess
  tokens: StaffTokens
  /** `null` if staff sign in with passkeys alone. */
  provider: ProviderSignIn | null
  passkeys: () => Passkeys
  cookie: StaffCookie
  origin: () => string
  agents: ConsoleAgents
  evaluations: Evaluations
  approvedAnswers: ApprovedAnswers
  /** The named embeds of `embeds.yaml`. */
  embeds: { files: ReadonlyMap<string, Embed> }
  status: () => Promise<InstallationStatus>
  /** Searches the knowledge of an agent; `undefined` without such an agent. */
  testSearch: (agent: string, query: string) => Promise<SearchTestResult | undefined>
  knowledge: ConsoleKnowledge
  /** Chats without activity for so long are deleted, and not read any more. */
  retentionMs: number
  limits: RuntimeLimits
  /** Puts what staff have changed into force, here before it resolves. Runs before the reply to each change. */
  applyChanges: () => Promise<void>
  staffReading: boolean
  keys: InstallationKeys
  model: ConsoleModel
  /** Hosts of webhooks and a model that may be private, and use http. */
  privateHosts: readonly string[]
  now: () => number
}
