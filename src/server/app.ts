import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PublicAgent, PublicConfiguration } from '../contract/config.ts'
import { keptMsOf } from '../contract/retention.ts'
import type { Agent } from './agent/agent.ts'
import type { Agents } from './agent/agents.ts'
import { describeModels, type ModelDescription } from './agent/model/connect-model.ts'
import { lookupsOf, openAnswering } from './app/open-answering.ts'
import { createPubSub, createMetrics, createProofOfWork, createSignIn } from './app/optional-parts.ts'
import { type Settings, SettingsError } from './config/config.ts'
import { Guard, type GuardOptions } from './limits/guard.ts'
import { LoopLag, watchLoop } from './limits/loop-lag.ts'
import { PromptQueue, type PromptQueueOptions } from './limits/prompt-queue.ts'
import type { QuotasOptions } from './limits/quotas.ts'
import { steadyClock } from './limits/steady-clock.ts'
import { Cursors } from './http/cursors.ts'
import { RequestLimits } from './http/request-limits.ts'
import { metricsRoute } from './http/routes/metrics.ts'
import { registerRoutes } from './http/routes/routes.ts'
import { createServer } from './http/server.ts'
import { staticFiles } from './http/static-files.ts'
import { StorageOutage } from './http/storage-outage.ts'
import { type Database, openDatabase, ping } from './store/database.ts'
import { type Logo, NoLogo, readLogo } from './branding/logo.ts'
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

/** Both from here and from `dist/server`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WEB_DIRECTORY = join(ROOT, 'dist/web')
/** Where the launcher installs what runs a local model. */
export const LOCAL_LIBRARY_DIRECTORY = join(ROOT, '.runtime/local-model')
/** How long running turns may go on when the server goes down. */
const DRAIN_MS = 20_000
/** So long the start waits for the turns of an earlier life to be ended; after that they are ended beside it. */
const FIRST_SWEEP_MS = 1_000
/** So long streams may take to say their last words when the server goes down. */
const LAST_WORDS_MS = 1_000

const monotonic = () => performance.now()

/** Of the ten connections that a process has. */
const MAX_STARTING_ON_POSTGRES = 6

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
  const answering = await openAnswering(settings, LOCAL_LIBRARY_DIRECTORY, app.log)
  const { agents, moderator } = answering
  const model = describeModels(settings.model, settings.fallback?.model ?? null)
  const notice = await noticeOf(settings, model)
  const logo = await openLogo(settings)
  const configuration = () => publicConfiguration(settings, { agents, notice, logo })
  const database = await openDatabase(settings.database, (error) => onFault('A database connection broke', error))
  app.storageOutage = new StorageOutage({ ping: () => ping(database), log: app.log })
  const pubsub = await createPubSub(settings.redisUrl, app.log)
  const shared = { database, pubsub, now, onFault }
  const sessionFeed = new SessionFeed(shared)
  const searcher = new Searcher(settings.database)
  const slots = await ProcessSlots.take(settings.dataDirectory)
  const metrics = await createMetrics(settings, () => ({ runningTurns: turns.count, ...load.levels() }))
  const turns = new Turns({
    ...shared,
    ...turnSettings(settings),
    agents,
    instance: slots.instance,
    moderator,
    installationKey: key,
    onTurnEnd: metrics?.turnEnded,
  })
  const sweeper = new Sweeper({ ...shared, slots, turns })
  await sweepAtStart(sweeper, onFault)
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
  const load = guardFor(settings, { ...counting, agents, proof, isModerated: moderator !== null, onWaited: metrics?.waited })
  let ready = true
  await registerRoutes(app, {
    database,
    agents,
    turns,
    pubsub,
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
      await answering.close()
      const lastWords = setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS)
      await app.close()
      clearTimeout(lastWords)
      await searcher.close()
      await pubsub.close()
      app.storageOutage?.close()
      await database.destroy()
      slots.release()
    },
  }
}

/** Ends the turns of an earlier life of this process. A slow database does not hold up the start. */
async function sweepAtStart(sweeper: Sweeper, onFault: (message: string, cause: unknown) => void): Promise<void> {
  const sweep = sweeper.begin().catch((error: unknown) => onFault('Turns could not be swept', error))
  await Promise.race([sweep, pause(FIRST_SWEEP_MS, undefined, { ref: false })])
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
    pause,
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

type GuardParts = QuotasOptions & {
  agents: Agents
  proof: GuardOptions['proof']
  isModerated: boolean
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
    exemptsLoopback: !limits.limitLoopback && settings.trustedProxies.length === 0,
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
