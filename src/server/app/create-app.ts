import { setTimeout as pause } from 'node:timers/promises'
import { retentionMsOf } from '../../contract/retention.ts'
import { describeModels } from '../agent/model/connect-model.ts'
import type { Settings } from '../config/config.ts'
import { Cursors } from '../http/cursors.ts'
import { RequestLimits } from '../http/request-limits.ts'
import { metricsRoute } from '../http/routes/metrics.ts'
import { registerRoutes } from '../http/routes/routes.ts'
import { createServer } from '../http/server.ts'
import { staticFiles } from '../http/static-files.ts'
import { StorageOutage } from '../http/storage-outage.ts'
import { steadyClock } from '../limits/steady-clock.ts'
import { ping } from '../store/database.ts'
import { ProcessSlots } from '../turns/process-slots.ts'
import { startSweeper, Sweeper } from '../turns/sweeper.ts'
import { Turns, type TurnsOptions } from '../turns/turns.ts'
import { startPurge } from '../visitors/purge.ts'
import { createResolver } from '../visitors/resolve.ts'
import { Searcher } from '../visitors/search/searcher.ts'
import { SessionFeed } from '../visitors/session-feed.ts'
import { openAnswering } from './open-answering.ts'
import { openRetentionClock, readinessOf } from './readiness.ts'
import { createPubSub, createMetrics, createProofOfWork, createSignIn } from './optional-parts.ts'
import { createGuard } from './create-guard.ts'
import { openDataDirectory } from './data-directory.ts'
import { openStore } from './open-store.ts'
import { localAddress } from './local-address.ts'
import { openLogo, publicConfiguration } from './public-configuration.ts'
import { openNotices, rightsFor } from './visitor-rights.ts'

/** Time for running turns to end on shutdown. */
const DRAIN_MS = 20_000
/** The start waits this long for the first sweep, which then continues in the background. */
const FIRST_SWEEP_MS = 1_000
/** Time for streams to send their last events on shutdown. */
const LAST_WORDS_MS = 1_000

const monotonic = () => performance.now()

/** Of the pool's ten connections. */
const MAX_STARTING_ON_POSTGRES = 6

/** Where the launcher puts what it builds and installs. */
export interface AppDirectories {
  /** The built page. */
  web: string
  /** The library that runs a local model. */
  localLibrary: string
}

export interface App {
  /** Starts listening and returns the address to open in a browser. */
  listen(): Promise<string>
  /** Reloads the files of agents and knowledge. */
  reload(): Promise<void>
  /** Rejects new turns, gives running ones 20 s to end, and closes everything. */
  close(): Promise<void>
}

/** Composition root: builds every part from the settings. `close` closes them in reverse order. */
export async function createApp(settings: Settings, directories: AppDirectories, release?: string): Promise<App> {
  const retentionMs = retentionMsOf(settings.retentionDays)
  const now = Date.now
  const steadyNow = steadyClock({ wall: now, monotonic })
  const app = createServer(settings)
  const onFault = (message: string, cause: unknown) => app.log.error({ err: cause }, message)
  const key = await openDataDirectory(settings)
  const answering = await openAnswering(settings, directories.localLibrary, app.log)
  const { agents, moderator } = answering
  const model = describeModels(settings.model, settings.fallback?.model ?? null)
  const notice = await openNotices(settings, model)
  const logo = await openLogo(settings)
  const configuration = (language?: string) => publicConfiguration(settings, { agents, notice, logo, language })
  const database = await openStore(settings, (error) => onFault('A database connection failed; the pool opens a new one', error), release)
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
  await sweepTurnsAtStart(sweeper, onFault)
  const stopSweeper = startSweeper(sweeper, onFault)
  const clock = await openRetentionClock(settings, database, steadyNow, app.log)
  const stopPurge = startPurge({ database, retentionMs, clock, onFault })
  const resolve = createResolver({
    database,
    installationKey: key,
    clientIds: settings.clientIds,
    retentionMs,
    now: () => clock.accessTime(),
    isAgent: (id) => agents.find(id) !== undefined,
  })
  const onWarning = (message: string) => app.log.warn(message)
  const signIn = await createSignIn({ settings: settings.signIn, database, installationKey: key, now, onWarning })
  const rights = rightsFor(settings, { database, model, turns, key, now })
  const counting = { database, now: steadyNow, onFault }
  const proof = await createProofOfWork(settings.proofOfWork, key, counting)
  const load = createGuard(settings, { ...counting, agents, proof, isModerated: moderator !== null, onWaited: metrics?.waited })
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
    ...readinessOf(settings, { agents, pubsub, clock }),
  })
  if (metrics) metricsRoute(app, metrics.metrics, metrics.token)
  if (!(await staticFiles(app, directories.web))) app.log.warn('The page is not built; serving the API only. Run npm run build')

  return {
    async listen() {
      await app.listen({ host: settings.host, port: settings.port })
      const address = app.server.address()
      return localAddress(settings.host, typeof address === 'object' && address ? address.port : settings.port)
    },
    reload: () => agents.refresh(),
    async close() {
      ready = false
      load.close()
      // Lease expiry is longer than the drain, so no other process takes over these turns meanwhile.
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

/** Ends the turns that this process left running before its restart. A slow database does not delay the start. */
async function sweepTurnsAtStart(sweeper: Sweeper, onFault: (message: string, cause: unknown) => void): Promise<void> {
  const sweep = sweeper.begin().catch((error: unknown) => onFault('Sweeping turns at start failed; the sweeper tries again', error))
  await Promise.race([sweep, pause(FIRST_SWEEP_MS, undefined, { ref: false })])
}

/** On PostgreSQL, prompts share a small pool, and processes share visitors. */
function turnSettings({ titles, database, limits }: Settings): Pick<TurnsOptions, 'titles' | 'maxStarting' | 'maxOfOwner'> {
  return database.kind === 'postgres' ? { titles, maxStarting: MAX_STARTING_ON_POSTGRES, maxOfOwner: limits.runningTurns } : { titles }
}
