import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { PublicAgent, PublicConfiguration } from '../contract/config.ts'
import type { Feedback } from '../contract/message.ts'
import { keptMsOf } from '../contract/retention.ts'
import type { Agent, ModelLimits } from './agent/agent.ts'
import { Agents, NoAgent } from './agent/agents.ts'
import { HttpApis } from './agent/tools/http/http-apis.ts'
import { McpServers } from './agent/tools/mcp/mcp-servers.ts'
import { describeModels, type ModelDescription } from './agent/model/connect-model.ts'
import type { Moderator } from './agent/moderation/moderator.ts'
import type { LocalRuntime } from './agent/model/local/local-runtime.ts'
import { startLocalModel } from './agent/model/local/start-local-model.ts'
import { Bell } from './bell/bell.ts'
import { type Settings, SettingsError } from './config.ts'
import { Guard, type GuardOptions } from './guard/guard.ts'
import { LoopLag, watchLoop } from './guard/loop-lag.ts'
import { PromptQueue, type PromptQueueOptions } from './guard/prompt-queue.ts'
import { Quotas, type QuotasOptions } from './guard/quotas.ts'
import { steadyClock } from './guard/steady-clock.ts'
import type { Levels } from './metrics/metrics.ts'
import { Cursors } from './http/cursors.ts'
import { RequestLimits } from './http/limits.ts'
import { metricsRoute } from './http/routes/metrics.ts'
import { registerRoutes } from './http/routes/routes.ts'
import { createServer } from './http/server.ts'
import { staticFiles } from './http/static-files.ts'
import { type Database, openDatabase } from './store/database.ts'
import { type Logo, NoLogo, readLogo } from './look/logo.ts'
import { newMessageId, newSessionId } from './turns/ids.ts'
import { ProcessSlots } from './turns/process-slots.ts'
import { startSweeper, Sweeper } from './turns/sweeper.ts'
import { Turns, type TurnsOptions } from './turns/turns.ts'
import { installationKey, UnsafeKeyFile } from './visitors/installation-key.ts'
import { loadPrivacyNotices, type PrivacyNotices } from './visitors/privacy-notice/privacy-notice.ts'
import { startPurge } from './visitors/purge.ts'
import { createResolver } from './visitors/resolve.ts'
import { createRights, type Rights } from './visitors/rights.ts'
import { Searcher } from './visitors/search/searcher.ts'
import { SessionFeed } from './visitors/session-feed.ts'
import type { SignIn, SignInOptions } from './visitors/sign-in/sign-in.ts'

const WEB_DIRECTORY = fileURLToPath(new URL('../../dist/web', import.meta.url))
/** How long running turns may go on when the server goes down. */
const DRAIN_MS = 20_000
/** So long the start waits for the turns of an earlier life to be ended; after that they are ended beside it. */
const FIRST_SWEEP_MS = 1_000
/** So long streams may take to say their last words when the server goes down. */
const LAST_WORDS_MS = 1_000

const monotonic = () => performance.now()

/** Of the ten connections that a process has. */
const MAX_STARTING_ON_POSTGRES = 6

/** Prices are for a million tokens. */
const TOKENS_OF_A_PRICE = 1_000_000

export interface App {
  /** Listens, and returns the address for people. */
  listen(): Promise<string>
  /** Takes no new turns, lets the running ones end for up to 20 s, tells their followers, and closes everything. */
  close(): Promise<void>
}

/** Builds everything from the settings; what is built first is closed last. */
export async function createApp(settings: Settings): Promise<App> {
  const keptMs = keptMsOf(settings.retentionDays)
  const now = Date.now
  const steadyNow = steadyClock({ wall: now, monotonic })
  const app = createServer(settings)
  const onFault = (message: string, cause: unknown) => app.log.error({ err: cause }, message)
  const key = await openDataDirectory(settings)
  const mcp = await openMcpServers(settings, app.log)
  const http = await openHttpApis(settings, app.log)
  const local = await startLocalModel(settings, (message, cause) => app.log.warn({ err: cause }, message))
  const moderator = await openModerator(settings, app.log)
  const agents = await openAgents(settings, { mcp, http, local, moderator }, app.log)
  const model = describeModels(settings.model, settings.fallback?.model ?? null)
  const notice = await noticeOf(settings, model)
  const logo = await openLogo(settings)
  const configuration = () => publicConfiguration(settings, { agents, notice, logo })
  const database = await openDatabase(settings.database, (error) => onFault('A database connection broke', error))
  const bell = await createBell(settings.redisUrl, app.log)
  const sessionFeed = new SessionFeed({ database, bell, now, onFault })
  const searcher = new Searcher(settings.database)
  const slots = await ProcessSlots.take(settings.dataDirectory)
  const metrics = await createMetrics(settings, () => ({ runningTurns: turns.count, ...load.levels() }))
  const { instance } = slots
  const onTurnEnd = metrics?.turnEnded
  const ofTurns = { database, agents, instance, bell, moderator, installationKey: key, now, ...turnSettings(settings), onTurnEnd, onFault }
  const turns = new Turns(ofTurns)
  const sweeper = new Sweeper({ database, bell, slots, turns, now, onFault })
  await Promise.race([
    sweeper.begin().catch((error: unknown) => onFault('Turns could not be swept', error)),
    pause(FIRST_SWEEP_MS, undefined, { ref: false }),
  ])
  const stopSweeper = startSweeper(sweeper, onFault)
  const stopPurge = startPurge({ database, keptMs, now: steadyNow, onFault })
  const resolve = createResolver({
    database,
    installationKey: key,
    clientIds: settings.clientIds,
    keptMs,
    now,
    isAgent: (id) => agents.find(id) !== undefined,
  })
  const signIn = await createSignIn({
    settings: settings.signIn,
    database,
    installationKey: key,
    now,
    onWarning: (message) => app.log.warn(message),
  })
  const rights = rightsFor(settings, { database, model, turns, key, now })
  const counting = { database, now: steadyNow, onFault }
  const proof = await createProofOfWork(settings.proofOfWork, key, counting)
  const load = guardFor(settings, { ...counting, agents, proof, onWaited: metrics?.waited })
  let ready = true
  await registerRoutes(app, {
    database,
    agents,
    turns,
    bell,
    sessionFeed,
    searcher,
    resolve,
    limits: new RequestLimits(load.guard, steadyNow),
    cursors: new Cursors(key),
    rights,
    signIn,
    publicUrl: settings.publicUrl,
    configuration,
    logo,
    notice,
    onFeedback: metrics?.feedbackGiven,
    isReady: () => ready,
  })
  if (metrics) metricsRoute(app, metrics.metrics, metrics.token)
  if (!(await staticFiles(app, WEB_DIRECTORY))) app.log.warn('The page is not built; only the API is served')

  return {
    async listen() {
      await app.listen({ host: settings.host, port: settings.port })
      const address = app.server.address()
      return addressForPeople(settings.host, typeof address === 'object' && address ? address.port : settings.port)
    },
    async close() {
      ready = false
      load.close()
      // Nobody takes this process for dead while its turns end: that would take longer than they may.
      await Promise.all([turns.drain(DRAIN_MS), stopSweeper(), stopPurge()])
      sessionFeed.close()
      await agents.close()
      await mcp.close()
      await local?.close()
      const lastWords = setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS)
      await app.close()
      clearTimeout(lastWords)
      await searcher.close()
      await bell.close()
      await database.destroy()
      slots.release()
    },
  }
}

/** Who is sent what language models look up in the knowledge; the built-in assistant looks by words alone. */
function lookupsOf({ embedding, model, fallback }: Settings): string | null {
  if (!embedding || (model.kind === 'builtin' && !fallback)) return null
  return new URL(embedding.baseUrl).host
}

function noticeOf(settings: Settings, model: ModelDescription) {
  const { name, retentionDays, contact, moderation, voiceInput, signIn, privacyNoticeFile } = settings
  const { provider: modelProvider, runsHere: modelRunsHere = false } = model
  const checkedBy = moderation?.checkedBy ?? null
  return loadPrivacyNotices(
    { name, retentionDays, contact, modelProvider, modelRunsHere, checkedBy, lookups: lookupsOf(settings), voiceInput, signIn },
    privacyNoticeFile,
  )
}

interface RightsParts {
  database: Database
  model: ModelDescription
  turns: Turns
  key: string
  now: () => number
}

function rightsFor(settings: Settings, { database, model, turns, key, now }: RightsParts): Rights {
  const { name, retentionDays, contact, logLevel } = settings
  return createRights({
    database,
    installation: name,
    installationKey: key,
    stopTurn: (access, turnId) => turns.stop(access, turnId),
    newSessionId,
    newMessageId,
    facts: {
      storage: settings.database.kind,
      retentionDays,
      model,
      contact,
      logLevel,
      signIn: settings.signIn !== null,
      redis: settings.redisUrl !== null,
      checkedBy: settings.moderation?.checkedBy ?? null,
      lookups: lookupsOf(settings),
    },
    now,
  })
}

/** The servers connect beside the start. */
function openMcpServers({ mcpFile, variables }: Settings, log: FastifyBaseLogger): Promise<McpServers> {
  const onWarning = (message: string, cause?: unknown) => log.warn({ err: cause }, message)
  return McpServers.open({ path: mcpFile, variable: (name) => variables[name], onWarning })
}

async function openHttpApis({ httpToolsFile, variables }: Settings, log: FastifyBaseLogger): Promise<HttpApis> {
  const apis = await HttpApis.open(httpToolsFile, (name) => variables[name])
  for (const problem of apis.problems) log.warn(problem)
  return apis
}

/** Only where the settings want texts to be checked. */
async function openModerator({ moderation }: Settings, log: FastifyBaseLogger): Promise<Moderator | null> {
  if (!moderation) return null
  const { Moderator } = await import('./agent/moderation/moderator.ts')
  try {
    return await Moderator.open(moderation, (message, cause) => log.warn({ err: cause }, message))
  } catch (error) {
    throw new SettingsError(`MODERATION_WORDS cannot be used: ${error instanceof Error ? error.message : 'it cannot be read'}.`)
  }
}

interface AgentTools {
  mcp: McpServers
  http: HttpApis
  local: LocalRuntime | null
  moderator: Moderator | null
}

async function openAgents(settings: Settings, tools: AgentTools, log: FastifyBaseLogger): Promise<Agents> {
  const { name, retentionDays, contact, model, agentsDirectory, knowledgeDirectory, knowledgeLanguages, dataDirectory, database } = settings
  try {
    const agents = await Agents.open({
      directory: agentsDirectory,
      knowledgeDirectory,
      embedding: settings.embedding,
      ...tools,
      languages: knowledgeLanguages,
      dataDirectory,
      searchEndpoint: settings.searchEndpoint,
      model,
      fallbackModel: settings.fallback?.model ?? null,
      suggests: settings.suggests,
      limits: modelLimitsOf(settings),
      lacksPrice: (named) => settings.prices.isMissing(named),
      installation: { name, retentionDays, contact, storage: database.kind, lookups: lookupsOf(settings) },
      onWarning: (message, cause) => log.warn({ err: cause }, message),
    })
    agents.watch()
    return agents
  } catch (error) {
    throw error instanceof NoAgent ? new SettingsError(`AGENTS_DIR needs an agent that can answer: ${error.message}.`) : error
  }
}

function modelLimitsOf({ budgets, modelWindow }: Settings): Partial<ModelLimits> {
  const { turn, historyTokens } = budgets
  const { inputTokens: maxInputTokens, outputTokens: maxOutputTokens } = turn
  return { maxInputTokens, maxOutputTokens, maxHistoryTokens: historyTokens, windowTokens: modelWindow }
}

async function openLogo({ look }: Settings): Promise<Logo | null> {
  try {
    return look.logoFile === null ? null : await readLogo(look.logoFile)
  } catch (error) {
    throw error instanceof NoLogo ? new SettingsError(`LOGO_FILE cannot be used: ${error.message}.`) : error
  }
}

/** As it is now: agents come and go. */
function publicConfiguration(
  { name, look, signIn, sharing, voiceInput, retentionDays, contact }: Settings,
  { agents, notice, logo }: { agents: Agents; notice: PrivacyNotices; logo: Logo | null },
): PublicConfiguration {
  const { colors, welcomeLine, links } = look
  return {
    name,
    look: { colors, logo: logo && `/api/v1/logo?version=${logo.version}`, welcomeLine, links },
    agent: publicAgent(agents.first),
    agents: agents.all.map(publicAgent),
    signIn: signIn && { label: signIn.label },
    sharing,
    voiceInput,
    privacy: { noticeVersion: notice.version, retentionDays, contact },
  }
}

function publicAgent({ id, name, picture, greeting, starters, model }: Agent): PublicAgent {
  return { id, name, picture, greeting, starters, model }
}

/** Redis's client is loaded only when there is a Redis. */
async function createBell(redisUrl: string | null, log: FastifyBaseLogger): Promise<Bell> {
  if (!redisUrl) return new Bell()
  const { redisLine } = await import('./bell/redis-line.ts')
  const onAway = (cause: unknown) => log.warn({ err: cause }, 'Redis is away: processes hear of each other through the database')
  return new Bell(redisLine({ url: redisUrl, onAway, onThere: () => log.info('Redis is there: processes hear each other through it') }))
}

type GuardParts = QuotasOptions & {
  agents: Agents
  proof: GuardOptions['proof']
  onWaited: PromptQueueOptions['onWaited']
}

/** The guard, and the queue before it; `close` turns away all who wait. */
function guardFor(settings: Settings, { agents, onWaited, ...parts }: GuardParts) {
  const { limits, budgets, prices, fallback, maxWaitMs } = settings
  const { allRunningTurns: maxRunning, waitingPrompts: maxWaiting } = limits
  const lag = new LoopLag(settings.maxLagMs)
  const queue = new PromptQueue({ maxRunning, maxWaiting, maxWaitMs, isSlow: () => lag.isHigh, now: monotonic, onWaited })
  const stopWatching = watchLoop(lag, monotonic, () => queue.tick())
  const guard = new Guard({
    ...parts,
    limits,
    budgets,
    queue,
    prices: { usualOf: (agent) => prices.of((agents.find(agent) ?? agents.first).modelName), fallback },
  })
  return {
    guard,
    levels: () => ({ openStreams: guard.openStreams, waitingPrompts: queue.waiting, lagMs: lag.ms }),
    close() {
      stopWatching()
      queue.close()
    },
  }
}

/** PostgreSQL has a few connections for many prompts, and may have several processes that share a visitor. */
function turnSettings({ titles, database, limits }: Settings): Pick<TurnsOptions, 'titles' | 'maxStarting' | 'maxOfOwner'> {
  return database.kind === 'postgres' ? { titles, maxStarting: MAX_STARTING_ON_POSTGRES, maxOfOwner: limits.runningTurns } : { titles }
}

/** Prometheus's client is loaded only when somebody may ask. */
async function createMetrics({ metricsToken: token, prices, fallback }: Settings, levels: () => Levels) {
  if (token === null) return null
  const { Metrics } = await import('./metrics/metrics.ts')
  const metrics = new Metrics(levels)
  const turnEnded: TurnsOptions['onTurnEnd'] = ({ usage, firstTextMs }, { status }, model, { modelName }) => {
    const { input = 0, output = 0 } = (model === 'fallback' ? fallback?.price : prices.of(modelName)) ?? {}
    const cost = (usage.inputTokens * input + usage.outputTokens * output) / TOKENS_OF_A_PRICE
    metrics.turnEnded({ status, ...usage, cost, firstTextMs })
  }
  const waited: PromptQueueOptions['onWaited'] = (end, waitedMs) => metrics.waited(end, waitedMs)
  return { metrics, token, turnEnded, waited, feedbackGiven: (thumb: Feedback['thumb']) => metrics.feedbackGiven(thumb) }
}

/** Loaded only where work is asked for. */
async function createProofOfWork(mode: Settings['proofOfWork'], key: string, options: QuotasOptions): Promise<GuardOptions['proof']> {
  if (mode === 'off') return null
  const { ProofOfWork } = await import('./guard/proof-of-work.ts')
  return { mode, of: new ProofOfWork({ installationKey: key, quotas: new Quotas(options), now: options.now }) }
}

/** Loaded only where visitors may sign in. */
async function createSignIn(options: Omit<SignInOptions, 'settings'> & { settings: Settings['signIn'] }): Promise<SignIn | null> {
  const { settings } = options
  if (!settings) return null
  const { SignIn } = await import('./visitors/sign-in/sign-in.ts')
  return new SignIn({ ...options, settings })
}

/** Makes the data folder where there is none, and gives the installation's key. */
async function openDataDirectory(settings: Settings): Promise<string> {
  // What visitors wrote is for the server's own user only.
  await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 })
  try {
    return await installationKey(settings.installationKey, settings.dataDirectory)
  } catch (error) {
    throw error instanceof UnsafeKeyFile ? new SettingsError(error.message) : error
  }
}

/** `localhost` where that reaches the server, since browsers treat it as secure. */
function addressForPeople(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::', '127.0.0.1', '::1']
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
