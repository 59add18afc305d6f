import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Agent } from '../answering/agents/agent.ts'
import { describeModel } from '../models/connect-model.ts'
import { retentionMsOf } from '../../contract/chat/retention.ts'
import type { SearchTestResult } from '../../contract/staff/content/search-test.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import type { ConsoleSettings } from '../config/console-settings.ts'
import { consoleModel } from './console-model.ts'
import type { ConsoleAgents, ConsoleRouteOptions } from '../staff-api/console-options.ts'
import type { OperatorProblem } from '../visitor-api/installation/operator-problem.ts'
import type { Server } from '../platform/server.ts'
import { trialBudget } from '../limits/model-budgets.ts'
import type { ModelBudget } from '../turns/model-budget.ts'
import { TrialAnswers } from '../turns/trial-answers.ts'
import { moneyUsed } from '../limits/money-used.ts'
import { constant } from '../constant.ts'
import { firstKey } from '../keys.ts'
import { AuditLog } from '../staff/audit.ts'
import { readAuditRows } from '../store/staff/audit-log.ts'
import { countHeld } from '../store/knowledge/sources.ts'
import { countUndecidedReports } from '../store/staff/report-queue.ts'
import { readTopics } from '../insights/questions/read-topics.ts'
import { readStops } from '../store/staff/stops.ts'
import { SHIPPED_FILES } from '../knowledge/shipped-files.ts'
import { listStaff } from '../store/staff/staff.ts'
import { readTrials } from '../store/staff/staff-trials.ts'
import { stoppedFiles } from '../replies/stopped-topics.ts'
import { localAddress } from './local-address.ts'
import { attentionOf } from './health/attention.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { readSystemFacts } from './health/system-facts.ts'
import type { OpenAnswering } from './open-answering.ts'
import type { OpenData } from './open-data.ts'
import type { OpenSources } from './open-sources.ts'

export interface StaffConsoleParts extends OpenData, OpenAnswering {
  app: Server
  release: string
  directories: { console: string }
  embeds: ConsoleRouteOptions['embeds']
  /** The stored connection with which this process has started. */
  liveModel: string | null
  problemsNow: () => readonly OperatorProblem[]
}

/** The staff console of an app, or its absence. */
export interface StaffConsole {
  /**
   * Starts listening, and returns the console's origin. A port that nobody chose may be in use: then there is none, which the log says.
   * @throws {SettingsError} if the chosen address can't be listened on.
   */
  listen(): Promise<string | null>
  /** Says where the console is; empty if nowhere. */
  announcement: string[]
  close(): Promise<void>
}

const NO_CONSOLE: StaffConsole = { listen: async () => null, announcement: [], close: async () => undefined }

/** An entry that is removed within this time of its writing isn't missed by the seal. */
const SEAL_INTERVAL_MS = 10_000
const MAX_SHIPPED = SHIPPED_FILES.length + 1
const LINK_LIFETIME = 'The console link works once, for 10 minutes. A restart prints a new one.'
const MEGABYTE = 1024 * 1024
/** Bounds on the documents that staff upload: the size of one, their number, and the size of all their versions. */
const UPLOAD_LIMITS = {
  bytes: constant('uploadBytes', 16 * MEGABYTE),
  count: constant('uploadCount', 500),
  totalBytes: 2_000 * MEGABYTE,
}
const ADD_TIMEOUT_MS = 60_000
const ADD_CHECK_MS = 200
const CANNOT_LISTEN = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND']

export async function openStaffConsole(settings: Settings, parts: StaffConsoleParts): Promise<StaffConsole> {
  const { console: chosen, name, logLevel } = settings
  const { app, database, keys, directories } = parts
  if (!chosen) return NO_CONSOLE
  const { openConsole } = await import('../staff-api/open-console.ts')
  const audit = new AuditLog(firstKey(keys), settings.ledger.directory)
  await audit.begin(database, Date.now())
  const seal = () => audit.seal(database).catch((cause: unknown) => parts.onFault('Sealing the audit log failed; retrying', cause))
  const sealing = setInterval(() => void seal(), SEAL_INTERVAL_MS).unref()
  const { storageOutage: outage } = app
  const status = () => readInstallation(settings, parts)
  const opened = await openConsole({
    settings: chosen,
    name,
    logLevel,
    directory: directories.console,
    database,
    audit,
    keys,
    onWarning: (message) => app.log.warn(message),
    outage,
    now: Date.now,
    onFault: parts.onFault,
    status,
    agents: consoleAgents(settings, parts),
    approvedAnswers: parts.agents.approved,
    embeds: parts.embeds,
    chat: () => chatAddress(settings, app),
    model: consoleModel(settings, parts.liveModel),
    testSearch: (agent, query) => testSearch(parts, agent, query),
    knowledge: {
      documents: (limit) => parts.agents.knowledge.documents(limit),
      problems: () => parts.problemsNow().flatMap(({ code, detail }) => (code === 'knowledge' ? [detail] : [])),
      websites: () => parts.sources.definitions(),
      add: (address) => addWebsite(settings, chosen, parts.sources, address),
      sync: (source) => parts.sources.sync(source),
      limits: UPLOAD_LIMITS,
      usesOcr: settings.usesOcr,
    },
    applyChanges: parts.applyChanges,
    retentionMs: retentionMsOf(settings.retentionDays),
    limits: parts.runtimeLimits,
    staffReading: settings.staffReading,
  })
  const webhooks = new Webhooks({
    database,
    keys,
    privateHosts: chosen.privateHosts,
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
        const { address, isLink } = await opened.listen()
        announcement.push(`Console: ${address}`)
        if (isLink) announcement.push(LINK_LIFETIME)
        return new URL(address).origin
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === undefined || !CANNOT_LISTEN.includes(code)) throw error
        if (chosen.isChosen)
          throw new SettingsError(`The console cannot listen on port ${chosen.port} (${code}): change CONSOLE_PORT or CONSOLE_HOST.`)
        app.log.warn({ code }, `There is no staff console, because port ${chosen.port} cannot be used. Set CONSOLE_PORT to another one`)
        return null
      }
    },
    async close() {
      clearInterval(sealing)
      await Promise.all([webhooks.close(), opened.close()])
      await seal()
    },
  }
}

function consoleAgents(
  { prices, fallback }: Settings,
  { agents, database, moderator, runtimeLimits, now, onFault }: StaffConsoleParts,
): ConsoleAgents {
  const budgetFor = (agent: Pick<Agent, 'modelOf'>, promptTokens: number): ModelBudget =>
    trialBudget({
      budgets: runtimeLimits.current.budgets,
      price: prices.of(agent.modelOf('primary').name),
      fallback,
      promptTokens,
      at: now(),
    })
  const trials = new TrialAnswers({ database, moderator, budgetFor, now: Date.now, onFault })
  return {
    async trial(id, text) {
      const agent = await agents.managed.createTrial(id, text)
      return agent && ((messages, signal) => trials.answer(agent, messages, signal))
    },
    live(id) {
      const agent = agents.find(id)
      return agent && ((messages, signal) => trials.answer(agent, messages, signal))
    },
    files: () => agents.readFiles(),
    inForce: () => agents.all.map(({ id, name }) => ({ id, name })),
    tools: agents.toolNames,
    approvedGivers: () => agents.approvedGivers,
    check: (id, text) => agents.managed.check(id, text),
  }
}

/** Looks at a website as `parley knowledge add` does, writes it into `sources.yaml`, and waits until that is read. */
async function addWebsite(
  { knowledgeDirectory }: Settings,
  { privateHosts }: ConsoleSettings,
  sources: OpenSources,
  address: string,
): Promise<string> {
  const { addSource } = await import('../knowledge/websites/add-source.ts')
  const signal = AbortSignal.timeout(ADD_TIMEOUT_MS)
  const network = privateHosts.includes(URL.parse(address)?.hostname ?? '') ? 'private' : 'public'
  const id = await addSource({ addresses: [address], network }, { knowledgeDirectory, write: () => undefined, signal })
  while (!signal.aborted && !sources.definitions().some((source) => source.id === id)) await setTimeout(ADD_CHECK_MS)
  return id
}

async function testSearch({ agents, database }: StaffConsoleParts, agent: string, query: string): Promise<SearchTestResult | undefined> {
  const { stops } = await readStops(database)
  const found = await agents.testSearch(agent, query, stoppedFiles(stops))
  return found && { ...found, passages: found.passages.map(({ place = null, ...passage }) => ({ ...passage, place })) }
}

const chatAddress = ({ publicUrl, host }: Settings, app: Server) =>
  publicUrl ?? localAddress(host, (app.server.address() as AddressInfo).port)

async function readInstallation(
  settings: Settings,
  { app, database, agents, figures, release, problemsNow, runtimeLimits }: StaffConsoleParts,
): Promise<InstallationStatus> {
  const { name, model, fallback } = settings
  const now = Date.now()
  const problems = [...problemsNow()]
  const chat = chatAddress(settings, app)
  const budgets = await moneyUsed(database, runtimeLimits.current.budgets, now)
  const system = await readSystemFacts(database, settings.dataDirectory, now)
  const endpoints = figures.endpoints()
  const [first] = await readAuditRows(database, 0, 1)
  const [documents, trials, staff, { topics }, reports, held, { stops }] = await Promise.all([
    agents.knowledge.documents(MAX_SHIPPED),
    readTrials(database, now),
    listStaff(database),
    readTopics(database, now),
    countUndecidedReports(database, { now, retentionMs: retentionMsOf(settings.retentionDays) }),
    countHeld(database),
    readStops(database),
  ])
  const allStoppedAt = stops.find(({ scope }) => scope === 'all')?.createdAt ?? null
  return {
    release,
    name,
    staffReading: settings.staffReading,
    database: settings.database.kind,
    models: [describeModel(model).label, ...(fallback ? [describeModel(fallback.model).label] : [])],
    problems,
    indexing: agents.knowledge.progress,
    embedding: agents.knowledge.embeddingProgress,
    chat,
    steps: [
      { step: 'content', isDone: documents.some(({ file }) => !SHIPPED_FILES.includes(file)) },
      { step: 'ask', isDone: trials !== null },
      { step: 'model', isDone: model.kind !== 'builtin' },
      { step: 'site', isDone: settings.frameAncestors.length > 0 || settings.embeds.size > 0 },
      { step: 'colleague', isDone: staff.length > 1 },
    ],
    budgets,
    system,
    endpoints,
    attention: attentionOf({ problems, budgets, system, endpoints }, { now, firstUsedAt: first?.at ?? null, allStoppedAt }),
    waiting: { questions: topics.length + (trials?.length ?? 0), feedback: reports, websites: held },
    agents: agents.all.map((agent) => ({
      id: agent.id,
      name: agent.textsIn(undefined).name,
      emergencies: agent.policy.definition.emergency === 'off' ? 'off' : model.kind === 'builtin' ? 'words' : 'words_and_model',
    })),
  }
}
