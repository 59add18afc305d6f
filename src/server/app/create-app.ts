import type { Agent } from '../answering/agents/agent.ts'
import { COUNTRIES, NUMBERS_COMPILED_ON } from '../safety/emergency/emergency-numbers.ts'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../config/config.ts'
import { type Server, createServer } from '../platform/server.ts'
import { localAddress } from './local-address.ts'
import { openAnswering } from './open-answering.ts'
import { openData } from './open-data.ts'
import { openHttp } from './open-http.ts'
import type { StaffConsole } from './open-staff-console.ts'
import { openTracing } from './optional-parts.ts'
import { ProblemLog } from './health/problem-log.ts'
import { stopListening } from './stop-listening.ts'
import { readingRequests } from './staff-reading.ts'

/** Says how to get search by meaning, where no setting speaks of it. */
function meaningRequests({ lacksEmbedding }: Pick<Settings, 'lacksEmbedding'>): string[] {
  return lacksEmbedding ? ['The knowledge is searched by words alone. `npm run embedding-model` gets the model for search by meaning.'] : []
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
const DRAIN_MS = 21_000
/** Time for streams to send their last events on shutdown. */
const LAST_WORDS_MS = 1_000

/** Dependencies of a server beside its settings. */
export interface AppParts {
  directories: AppDirectories
  release: string
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
  /** Sentences for the operator: where the console is, and what to check. */
  operatorRequests(): string[]
  /** Reloads the files of agents and knowledge. */
  reload(): Promise<void>
  /** Refuses new connections, then new turns, gives running ones 20 s to end, and closes everything. */
  close(): Promise<void>
}

/** Composition root: each step takes what the ones before it have opened. `close` closes them in reverse order. */
export async function createApp(settings: Settings, { directories, release }: AppParts): Promise<App> {
  const problemLog = new ProblemLog()
  const app = createServer({ ...settings, onLogged: problemLog.add })
  for (const sentence of settings.misnamed) app.log.warn(sentence)
  await openTracing(settings, app, release)
  const data = await openData(settings, { app, problemLog, release })
  const answering = await openAnswering(settings, { app, release, libraryDirectory: directories.localLibrary, data })
  const http = await openHttp(settings, { app, release, directories, problemLog, data, answering })
  const { agents, sources, turns, unstoredAnswers } = answering
  const { staffConsole } = http

  return {
    listen: () => listen(app, settings, staffConsole),
    operatorRequests: () => [
      ...staffConsole.announcement,
      ...readingRequests(settings),
      ...meaningRequests(settings),
      ...emergencyRequests(agents.all),
    ],
    reload: () => agents.refresh(),
    async close() {
      const drainsUntil = performance.now() + DRAIN_MS
      http.leave()
      const { served, closed } = await stopListening(app)
      await served
      http.closeDoor()
      // Lease expiry is longer than the drain, so no other process takes over these turns meanwhile.
      const stopped = [answering.stopBackground(), http.stopReporting(), data.versions.close(), sources.close(), staffConsole.close()]
      await Promise.all([turns.drain(drainsUntil - performance.now()), unstoredAnswers.drain(drainsUntil - performance.now()), ...stopped])
      http.sessionFeed.close()
      await answering.closeAgents()
      await closeServer(app, closed)
      await http.searcher.close()
      await Promise.all([http.securityEvents.close(), answering.figures.close()])
      await data.pubsub.close()
      app.storageOutage?.close()
      await problemLog.close()
      await data.database.destroy()
      data.slots.release()
    },
  }
}

async function listen(app: Server, { host, port }: Settings, staffConsole: StaffConsole): Promise<string> {
  await app.listen({ host, port })
  await staffConsole.listen()
  return localAddress(host, portOf(app.server.address()) ?? port)
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
