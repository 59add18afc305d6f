import type { AddressInfo } from 'node:net'
import { retentionMsOf } from '../../contract/retention.ts'
import type { Agents } from '../agent/agents.ts'
import { describeModels } from '../agent/model/connect-model.ts'
import type { Settings } from '../config/config.ts'
import { doctorToken } from '../http/bearer-token.ts'
import { Cursors } from '../http/cursors.ts'
import { createEmbedOf } from '../http/embed-of.ts'
import { RequestLimits } from '../http/request-limits.ts'
import { doctorRoute } from '../http/routes/doctor.ts'
import { metricsRoute } from '../http/routes/metrics.ts'
import { registerRoutes } from '../http/routes/routes.ts'
import { createServer, type Server } from '../http/server.ts'
import { staticFiles } from '../http/static-files.ts'
import { DATABASE_OUTAGE, Outage } from '../http/outage.ts'
import { steadyClock } from '../limits/steady-clock.ts'
import { isOutage } from '../store/storage-fault.ts'
import { ProcessSlots } from '../turns/process-slots.ts'
import type { Database } from '../store/database.ts'
import { startPurge } from '../visitors/purge.ts'
import type { RetentionClock } from '../visitors/retention-clock.ts'
import { createResolver } from '../visitors/resolve.ts'
import { Searcher } from '../visitors/search/searcher.ts'
import { SessionFeed } from '../visitors/session-feed.ts'
import { openAnswering } from './open-answering.ts'
import { openRetentionClock, readinessOf } from './readiness.ts'
import { createPubSub, createMetrics, createProofOfWork, createSignIn, openTracing } from './optional-parts.ts'
import { createGuard } from './create-guard.ts'
import { openRuntimeLimits } from './open-runtime-limits.ts'
import { ProblemLog } from './problem-log.ts'
import { startProcessReports } from './process-reports.ts'
import type { GroupMember } from './group-member.ts'
import { openDataDirectory } from './data-directory.ts'
import { openLedger } from './open-ledger.ts'
import { openSources } from './open-sources.ts'
import { bannerReader } from '../store/banner.ts'
import { openStore } from './open-store.ts'
import { emergencyRequests } from './emergency-requests.ts'
import { acceptanceDeletion, readingRequests, settleAcceptances } from './staff-reading.ts'
import { followAgents } from './follow-agents.ts'
import { localAddress } from './local-address.ts'
import { openTurns } from './open-turns.ts'
import { openStaffConsole, type StaffConsole } from './open-staff-console.ts'
import { openSecurityEvents } from './security-events.ts'
import { openLogo, publicConfiguration } from './public-configuration.ts'
import { openNotices, rightsFor } from './visitor-rights.ts'

/** Time for running turns to end on shutdown. */
const DRAIN_MS = 20_000
/** Time for streams to send their last events on shutdown. */
const LAST_WORDS_MS = 1_000

const monotonic = () => performance.now()

/** What a server is made from beside its settings. */
export interface AppParts {
  directories: AppDirectories
  release: string
  /** The processes that share the port; `null` for this one alone. */
  group: GroupMember | null
}

/** Where the launcher puts what it builds and installs. */
export interface AppDirectories {
  /** The built page. */
  web: string
  /** The built page of the staff console. */
  console: string
  /** The library that runs a local model. */
  localLibrary: string
}

export interface App {
  /** Starts listening and returns the address to open in a browser. */
  listen(): Promise<string>
  /** What to tell the operator, in sentences: where the console is, and what to check. */
  operatorRequests(): string[]
  /** Reloads the files of agents and knowledge. */
  reload(): Promise<void>
  /** Rejects new turns, gives running ones 20 s to end, and closes everything. */
  close(): Promise<void>
}

/** Composition root: builds every part from the settings. `close` closes them in reverse order. */
export async function createApp(settings: Settings, { directories, release, group }: AppParts): Promise<App> {
  const retentionMs = retentionMsOf(settings.retentionDays)
  const now = Date.now
  const steadyNow = steadyClock({ wall: now, monotonic })
  const problemLog = new ProblemLog()
  const app = createServer({ ...settings, onLogged: problemLog.add })
  await openTracing(settings, app, release)
  const onFault = faultLogger(app)
  const key = await openDataDirectory(settings)
  const metrics = await createMetrics(settings, release, () => ({ app, database, pubsub, turns, load, values }), group)
  const answering = await openAnswering(settings, directories.localLibrary, { log: app.log, onSearched: metrics?.searched })
  const { agents, moderator } = answering
  const model = describeModels(settings.model, settings.fallback?.model ?? null)
  const notice = await openNotices(settings, model)
  const logo = await openLogo(settings)
  const configuration = (language?: string) => publicConfiguration(settings, { agents, notice, logo, language })
  const database = await openStore(settings, (error) => onFault('A database connection failed; the pool opens a new one', error), release)
  problemLog.start(database)
  const ledger = await openLedger(settings, { database, key, now, log: app.log })
  await settleAcceptances(settings, { ledger, database, now })
  const { managedAgents, approvedAnswers } = await followAgents({ database, agents, onFault })
  // A write, since a database may serve reads alone.
  app.storageOutage = new Outage({ messages: DATABASE_OUTAGE, check: async () => clock.record(), log: app.log })
  const pubsub = await createPubSub(settings.redisUrl, app.log)
  const shared = { database, pubsub, now, onFault }
  const runtimeLimits = await openRuntimeLimits(settings, { database, now, onFault })
  const values = () => runtimeLimits.current
  const sessionFeed = new SessionFeed(shared)
  const searcher = new Searcher(settings.database)
  const slots = await ProcessSlots.take(settings.dataDirectory)
  const sources = await openSources(settings, { database, agents, now, instance: slots.instance, log: app.log })
  const { turns, figures, stopSweeper } = await openTurns(settings, { ...shared, app, agents, slots, moderator, key, metrics, values })
  const clock = await openRetentionClock(settings, database, steadyNow, app.log)
  const deleteAcceptances = settings.staffReading ? undefined : acceptanceDeletion(ledger, database)
  const stopPurge = startPurge({ database, retentionMs, clock, deleteAcceptances, onFault, onExpired: figures.expired })
  const resolve = resolverFor(settings, { database, key, clock, agents })
  const onWarning = (message: string) => app.log.warn(message)
  const signIn = await createSignIn({ settings: settings.signIn, database, installationKey: key, ledger, now, onWarning })
  const rights = rightsFor(settings, { database, model, turns, ledger, key, now })
  const counting = { database, now: steadyNow, onFault, shared: group?.limits ?? null }
  const onNetworkLimited = () => securityEvents.count('blocked_network')
  const proof = await createProofOfWork(settings.proofOfWork, key, counting)
  const guardParts = { runtimeLimits, agents, proof, isModerated: moderator !== null, onWaited: metrics?.waited, onNetworkLimited }
  const load = createGuard(settings, { ...counting, ...guardParts })
  const levels = () => ({ runningTurns: turns.count, endpoints: figures.endpoints(), ...load.levels() })
  const stopReporting = startProcessReports({ database, instance: slots.instance, release, now, onFault }, levels)
  let ready = true
  const readiness = readinessOf(settings, { agents, sources, pubsub, clock })
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
    settings,
    configuration,
    banner: bannerReader(database, monotonic),
    logo,
    notice,
    embedOf: createEmbedOf(settings),
    onFeedback: figures.feedbackGiven,
    isReady: () => ready,
    ...readiness,
  })
  const securityEvents = openSecurityEvents(settings, app, { ...counting, guard: load.guard, values, metrics: metrics?.metrics })
  operatorRoutes(app, key, metrics)
  if (!(await staticFiles(app, directories.web))) app.log.warn('The page is not built; serving the API only. Run npm run build')

  const facts = { key, release, group, directories, onLogged: problemLog.add }
  const answerers = { agents, moderator, approvedAnswers, sources }
  const consoleParts = { ...shared, ...answerers, ...facts, ...readiness, app, runtimeLimits, notice }
  const staffConsole = await openStaffConsole(settings, consoleParts)

  return {
    listen: () => listen(app, settings, staffConsole),
    operatorRequests: () => [...staffConsole.announcement, ...readingRequests(settings), ...emergencyRequests(agents.all)],
    reload: () => agents.refresh(),
    async close() {
      ready = false
      load.close()
      // Lease expiry is longer than the drain, so no other process takes over these turns meanwhile.
      const stopped = [stopSweeper(), stopPurge(), stopReporting(), runtimeLimits.close(), sources.close(), staffConsole.close()]
      await Promise.all([turns.drain(DRAIN_MS), ...stopped])
      sessionFeed.close()
      await answering.close()
      await closeServer(app)
      await Promise.all([searcher.close(), managedAgents.close(), approvedAnswers.close()])
      await Promise.all([securityEvents.close(), figures.close()])
      await pubsub.close()
      app.storageOutage?.close()
      await problemLog.close()
      await database.destroy()
      slots.release()
    },
  }
}

interface ResolverParts {
  database: Database
  key: string
  clock: Pick<RetentionClock, 'accessTime'>
  agents: Pick<Agents, 'find'>
}

function resolverFor({ clientIds, retentionDays }: Settings, { database, key, clock, agents }: ResolverParts) {
  return createResolver({
    database,
    installationKey: key,
    clientIds,
    retentionMs: retentionMsOf(retentionDays),
    now: () => clock.accessTime(),
    isAgent: (id) => agents.find(id) !== undefined,
  })
}

/** Logs faults of background work. Those of an outage of the database are one line together. */
function faultLogger(app: Server): (message: string, cause: unknown, context?: object) => void {
  return (message, cause, context) => {
    if (app.storageOutage && isOutage(cause)) app.storageOutage.failed(cause, { ...context, failed: message })
    else app.log.error({ err: cause, ...context }, message)
  }
}

function operatorRoutes(app: Server, key: string, metrics: Awaited<ReturnType<typeof createMetrics>>): void {
  doctorRoute(app, doctorToken(key))
  if (metrics) metricsRoute(app, metrics.metrics, metrics.token)
}

async function listen(app: Server, { host, port }: Settings, staffConsole: StaffConsole): Promise<string> {
  await app.listen({ host, port })
  await staffConsole.listen()
  return localAddress(host, portOf(app.server.address()) ?? port)
}

async function closeServer(app: Server): Promise<void> {
  const lastWords = setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS)
  await app.close()
  clearTimeout(lastWords)
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === 'object' ? address?.port : undefined
}
