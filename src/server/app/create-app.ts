import type { Agent } from '../answering/agents/agent.ts'
import { COUNTRIES, NUMBERS_COMPILED_ON } from '../safety/emergency/emergency-numbers.ts'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Settings } from '../config/config.ts'
import { readModelConnection } from '../staff/model-connection.ts'
import { followModel, settingsWith } from './console-model.ts'
import { followEmbeds } from '../managed/named-embeds.ts'
import { type Server, createServer } from '../platform/server.ts'
import { localAddress } from './local-address.ts'
import { openAnswering } from './open-answering.ts'
import { openData } from './open-data.ts'
import { openHttp } from './open-http.ts'
import { claimRestart, endRestart } from '../store/engine/installation-facts.ts'
import { openTracing } from './optional-parts.ts'
import { readingRequests } from './staff-reading.ts'
import { setImmediate as turnOfEventLoop, setTimeout as pause } from 'node:timers/promises'
import { constant } from '../constant.ts'

function meaningRequests({ lacksEmbedding }: Pick<Settings, 'lacksEmbedding'>): string[] {
  return lacksEmbedding
    ? [
        'The knowledge is searched by words alone. `npm run embedding-model` in a checkout gets the model for search by meaning (docs/knowledge.md).',
      ]
    : []
}

/** Asks the operator to check the numbers that visitors in an emergency read, or to name the countries. */
function emergencyRequests(agents: readonly Pick<Agent, 'id' | 'policy'>[]): string[] {
  const countries = [...new Set(agents.flatMap(({ policy }) => policy.definition.countries))]
  const requests = countries.flatMap((code) => {
    const { source, ...numbers } = COUNTRIES[code] ?? { source: '' }
    return source === ''
      ? []
      : [`Check the emergency numbers of ${code}, compiled on ${NUMBERS_COMPILED_ON}: ${Object.values(numbers).join(', ')} (${source})`]
  })
  const without = agents.filter(({ policy }) => policy.definition.countries.length === 0).map(({ id }) => id)
  if (without.length > 0)
    requests.push(
      `In an emergency, visitors of ${without.join(', ')} read the European number 112. If yours live elsewhere, list their countries under "countries" in the policy (docs/agents.md).`,
    )
  return requests
}

/** Time for running turns to end, from the beginning of the shutdown on. */
const DRAIN_MS = constant('drainMs', 21_000)
/** Time for streams to send their last events on shutdown. */
const LAST_WORDS_MS = 1_000

export interface AppParts {
  directories: { web: string; console: string; localLibrary: string }
  release: string
  /** Called when owners connect another model or none: this app must be closed and another created. */
  onModelChanged: () => void
}

export interface App {
  /** Starts listening and returns the address to open in a browser. */
  listen(): Promise<string>
  /** Ports that it listens on, to listen on them again. */
  ports(): { port: number; consolePort: number | null }
  /** Sentences for the operator: where the console is, and what to check. */
  operatorRequests(): string[]
  reload(): Promise<void>
  /** Whether this process may restart now: processes of an installation do so one after the other. */
  claimRestart(): Promise<boolean>
  endRestart(): Promise<void>
  /** Refuses new connections, then new turns, gives running ones 20 s to end, and closes everything. */
  close(): Promise<void>
}

/** Composition root: each step takes what the ones before it have opened. `close` closes them in reverse order. */
export async function createApp(given: Settings, { directories, release, onModelChanged }: AppParts): Promise<App> {
  const before = { ...given, embeds: new Map(given.embeds) }
  let consoleOrigin: string | null = null
  const app = createServer({ ...before, consoleOrigin: () => consoleOrigin })
  for (const sentence of before.misnamed) app.log.warn(sentence)
  await openTracing(before, app, release)
  const data = await openData(before, { app, release })
  const connected = await readModelConnection(data.database, data.keys)
  const settings = settingsWith(before, connected?.connection, (message) => app.log.warn(message))
  await followEmbeds(before.embeds, given.embeds, data)
  const answering = await openAnswering(settings, { app, release, libraryDirectory: directories.localLibrary, data })
  const http = await openHttp(settings, {
    app,
    release,
    directories,
    data,
    answering,
    managed: { embeds: { files: given.embeds }, liveModel: connected?.stored ?? null },
  })
  await followModel(before, data, connected?.stored ?? null, onModelChanged)
  const { agents, sources, turns, unstoredAnswers } = answering
  const { staffConsole } = http

  return {
    async listen() {
      await app.listen({ host: settings.host, port: settings.port })
      consoleOrigin = await staffConsole.listen()
      return localAddress(settings.host, portOf(app.server.address()) ?? settings.port)
    },
    ports: () => ({
      port: portOf(app.server.address()) ?? settings.port,
      consolePort: Number(URL.parse(consoleOrigin ?? '')?.port) || null,
    }),
    operatorRequests: () => [
      ...staffConsole.announcement,
      ...readingRequests(settings),
      ...meaningRequests(settings),
      ...emergencyRequests(agents.all),
    ],
    reload: () => agents.refresh(),
    claimRestart: () => claimRestart(data.database, Date.now()),
    endRestart: () => endRestart(data.database, Date.now()),
    async close() {
      const drainsUntil = performance.now() + DRAIN_MS
      http.leave()
      const { closed } = await stopListening(app)
      http.closeDoor()
      // Lease expiry is longer than the drain, so no other process takes over these turns meanwhile.
      const stopped = [answering.stopBackground(), data.versions.close(), sources.close(), staffConsole.close()]
      const graceMs = Math.max(0, drainsUntil - performance.now())
      await Promise.all([turns.drain(graceMs), unstoredAnswers.drain(graceMs), ...stopped])
      http.sessionFeed.close()
      await answering.closeAgents()
      await closeServer(app, closed)
      await answering.figures.close()
      await data.pubsub.close()
      app.storageOutage?.close()
      await data.database.destroy()
      data.slots.release()
    },
  }
}

async function closeServer(app: Server, closed: Promise<void>): Promise<void> {
  const lastWords = setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS)
  await app.close()
  await closed
  clearTimeout(lastWords)
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === 'object' ? address?.port : undefined
}

/** Time in which a balancer with health checks learns that this process leaves, before connections are refused. */
const NOTICE_MS = constant('leavingNoticeMs', 2_000)
/** Time in which connections that are open then are still served. */
const SERVED_MS = constant('openConnectionsServedMs', 5_000)
/** Interval of checks for requests without a reply. */
const CHECK_EVERY_MS = 50
/** In each turn of the event loop, one connection is accepted that the system has taken. */
const TURNS = 20

/**
 * Serves all connections for two seconds, then refuses new ones, so that a balancer without health checks goes on to the next process, and
 * serves the open ones, each with one reply more. Resolves after five seconds, or when none is left, and once what has been asked by then is
 * answered or being answered; `closed`: when none is left.
 */
async function stopListening({ server }: Server): Promise<{ closed: Promise<void> }> {
  const unanswered = new Set<ServerResponse>()
  let isLeaving = false
  server.prependListener('request', (_, response: ServerResponse) => {
    if (isLeaving) response.shouldKeepAlive = false
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
  })
  await pause(NOTICE_MS)
  isLeaving = true
  // Closing would reset connections that wait to be accepted.
  await turnsOfEventLoop()
  // Its own `close` would end idle connections, on which a balancer may be sending a prompt.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  await Promise.race([closed, pause(SERVED_MS, undefined, { ref: false })])
  // A busy machine has requests that it hasn't read, and read ones that it hasn't begun to answer.
  await turnsOfEventLoop()
  server.closeIdleConnections()
  const giveUpAt = performance.now() + SERVED_MS
  while ([...unanswered].some(({ headersSent }) => !headersSent) && performance.now() < giveUpAt) await pause(CHECK_EVERY_MS)
  return { closed }
}

async function turnsOfEventLoop(): Promise<void> {
  for (let turns = 0; turns < TURNS; turns += 1) await turnOfEventLoop()
}
