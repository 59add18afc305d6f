import type { Agent } from '../answering/agents/agent.ts'
import type { Agents } from '../answering/agents/agents.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import { describeModel } from '../models/connect-model.ts'
import { retentionMsOf } from '../../contract/chat/retention.ts'
import type { SearchTestResult } from '../../contract/staff/content/search-test.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import type { ConsoleAgents, ConsoleApprovedAnswers } from '../staff-api/console-options.ts'
import type { OperatorProblem } from '../visitor-api/installation/operator-problem.ts'
import type { Server, ServerOptions } from '../platform/server.ts'
import type { RuntimeLimits } from '../limits/runtime-limits.ts'
import { trialBudget } from '../limits/trial-budget.ts'
import type { ModelBudget } from '../turns/model-budget.ts'
import { TrialAnswers } from '../turns/trial-answers.ts'
import { moneyUsed } from '../limits/money-used.ts'
import type { PrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'
import { AuditLog } from '../staff/audit.ts'
import { readAuditRows } from '../store/staff/audit-log.ts'
import { readStops } from '../store/staff/stops.ts'
import { stoppedFiles } from '../replies/stopped-topics.ts'
import type { Database } from '../store/engine/database.ts'
import { attentionOf } from './health/attention.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { readSystemFacts } from './health/system-facts.ts'
import { UPLOAD_LIMITS } from './upload-limits.ts'
import type { OpenSources } from './open-sources.ts'

export interface StaffConsoleParts {
  /** The listener for visitors. */
  app: Server
  database: Database
  agents: Agents
  approvedAnswers: Pick<VersionFollower, 'poll'>
  sources: OpenSources
  /** The installation key. */
  key: string
  release: string
  /** Where the built page is. */
  directories: { console: string }
  runtimeLimits: RuntimeLimits
  notice: PrivacyNotices
  moderator: Moderator | null
  now: () => number
  onFault: (message: string, cause: unknown) => void
  /** Called with each warning and error that is logged. */
  onLogged: NonNullable<ServerOptions['onLogged']>
  problemsNow: () => readonly OperatorProblem[]
}

/** The staff console of an app, or its absence. */
export interface StaffConsole {
  /**
   * Starts listening. A port that nobody chose may be in use: then there is no console, which the log says.
   * @throws {SettingsError} if the chosen address can't be listened on.
   */
  listen(): Promise<void>
  /** Says where the console is; empty if nowhere. */
  announcement: string[]
  close(): Promise<void>
}

const NO_CONSOLE: StaffConsole = { listen: async () => undefined, announcement: [], close: async () => undefined }

const CANNOT_LISTEN = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND']

/** The staff console, unless it is turned off. */
export async function openStaffConsole(settings: Settings, parts: StaffConsoleParts): Promise<StaffConsole> {
  const { console: chosen, name, logLevel } = settings
  const { app, database, key, directories } = parts
  if (!chosen) return NO_CONSOLE
  const { openConsole } = await import('../staff-api/open-console.ts')
  const audit = new AuditLog(key)
  const { storageOutage: outage } = app
  const status = () => readInstallation(settings, parts)
  const opened = await openConsole({
    settings: chosen,
    name,
    logLevel,
    directory: directories.console,
    database,
    audit,
    installationKey: key,
    onWarning: (message) => app.log.warn(message),
    outage,
    now: Date.now,
    onFault: parts.onFault,
    status,
    agents: consoleAgents(settings, parts),
    approvedAnswers: consoleApprovedAnswers(parts),
    testSearch: (agent, query) => testSearch(parts, agent, query),
    knowledge: {
      documents: (limit) => parts.agents.documents(limit),
      problems: () => parts.problemsNow().flatMap(({ code, detail }) => (code === 'knowledge' ? [detail] : [])),
      websites: () => parts.sources.definitions(),
      sync: (source) => parts.sources.sync(source),
      poll: () => parts.sources.poll(),
      limits: UPLOAD_LIMITS,
    },
    retentionMs: retentionMsOf(settings.retentionDays),
    limits: parts.runtimeLimits,
    onLogged: parts.onLogged,
    noticeIn: (language) => parts.notice.in(language),
    staffReading: settings.staffReading,
  })
  const webhooks = new Webhooks({
    database,
    installationKey: key,
    privateHosts: chosen.webhookHosts,
    retentionMs: retentionMsOf(settings.retentionDays),
    status,
    now: Date.now,
    onFault: parts.onFault,
  })
  webhooks.start()
  const announcement: string[] = []
  return {
    announcement,
    async listen() {
      try {
        announcement.push(`Console: ${await opened.listen()}`)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === undefined || !CANNOT_LISTEN.includes(code)) throw error
        if (chosen.isChosen)
          throw new SettingsError(`The console cannot listen on port ${chosen.port} (${code}): change CONSOLE_PORT or CONSOLE_HOST.`)
        app.log.warn({ code }, `There is no staff console, because port ${chosen.port} cannot be used. Set CONSOLE_PORT to another one`)
      }
    },
    async close() {
      await Promise.all([webhooks.close(), opened.close()])
    },
  }
}

function consoleAgents(
  { prices, fallback }: Settings,
  { agents, database, moderator, runtimeLimits, now, onFault }: StaffConsoleParts,
): ConsoleAgents {
  const budgetFor = (agent: Pick<Agent, 'modelOf'>, promptTokens: number): ModelBudget =>
    trialBudget(runtimeLimits.current.budgets, { price: prices.of(agent.modelOf('primary').name), fallback }, promptTokens, now())
  const trials = new TrialAnswers({ database, moderator, budgetFor, now: Date.now, onFault })
  return {
    async trial(id, text) {
      const agent = await agents.managed.createTrial(id, text)
      return agent && ((messages, signal) => trials.answer(agent, messages, signal))
    },
    files: () => agents.readFiles(),
    inForce: () => agents.all.map(({ id, name }) => ({ id, name })),
    fileOf: (id) => agents.fileOf(id),
    tools: agents.toolNames,
    check: (id, text) => agents.managed.check(id, text),
  }
}

function consoleApprovedAnswers({ agents, approvedAnswers }: StaffConsoleParts): ConsoleApprovedAnswers {
  const { approved } = agents
  return {
    files: () => approved.folder,
    comparesMeaning: () => approved.comparesMeaning,
    stateOf: (id) => approved.stateOf(id),
    hiddenBy: (id) => approved.hiddenBy(id),
    givers: () => agents.approvedGivers,
    check: (id, draft) => approved.check(id, draft),
    poll: () => approvedAnswers.poll(),
  }
}

async function testSearch({ agents, database }: StaffConsoleParts, agent: string, query: string): Promise<SearchTestResult | undefined> {
  const { stops } = await readStops(database)
  const found = await agents.testSearch(agent, query, stoppedFiles(stops))
  return found && { ...found, passages: found.passages.map(({ place = null, ...passage }) => ({ ...passage, place })) }
}

async function readInstallation(
  settings: Settings,
  { database, agents, release, problemsNow, runtimeLimits }: StaffConsoleParts,
): Promise<InstallationStatus> {
  const { name, model, fallback } = settings
  const now = Date.now()
  const problems = [...problemsNow()]
  const budgets = await moneyUsed(database, runtimeLimits.current.budgets, now)
  const system = await readSystemFacts(database, settings.dataDirectory, now)
  const [first] = await readAuditRows(database, 0, 1)
  return {
    release,
    name,
    staffReading: settings.staffReading,
    database: settings.database.kind,
    models: [describeModel(model).label, ...(fallback ? [describeModel(fallback.model).label] : [])],
    problems,
    indexing: agents.indexing,
    embedding: agents.embedding,
    budgets,
    system,
    attention: attentionOf({ problems, budgets, system }, { now, firstUsedAt: first?.at ?? null }),
    agents: agents.all.map((agent) => ({
      id: agent.id,
      name: agent.textsIn(undefined).name,
      emergencies: agent.policy.definition.emergency === 'off' ? 'off' : model.kind === 'builtin' ? 'words' : 'words_and_model',
    })),
  }
}
