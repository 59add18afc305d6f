import { type PostgresCluster, startCluster } from '../test/support/postgres-cluster.ts'
import { createDatabase } from '../test/support/postgres.ts'
import { relativeTo, type Figure, type Measurement, milliseconds } from './support/measurement.ts'
import { type Processes, type Running, withProcesses } from './support/processes.ts'
import { settingsFor } from './support/setup.ts'
import { median } from './support/statistics.ts'
import { storeChats, storeChatsInPostgres } from './support/stored-chats.ts'

/** `BENCH_CHATS=50000` makes smaller databases. */
const MANY = Number(process.env['BENCH_CHATS'] ?? 1_000_000)
const FEW = 1_000
const CHATS_OF_A_VISITOR = 10
/** Chats of the visitor whose requests are measured. */
const OWN_CHATS = 10
const WARM_UP_ROUNDS = 40
const ROUNDS = 80
const STARTS = 5
const ALLOWED = 1.3

type Sizes<Value> = Record<'few' | 'many', Value>

/** Compares a visitor's requests beside 1,000,000 chats with the same beside 1,000, on both databases. */
export const growth: Figure = {
  name: 'growth',
  async measure() {
    const embedded = await withProcesses(async (processes) => {
      const place = async (chats: number) => {
        const dataDirectory = processes.folder()
        await storeChats(dataDirectory, chats, Date.now(), CHATS_OF_A_VISITOR)
        return { settings: {}, dataDirectory }
      }
      return compare(processes, 'SQLite', { few: await place(FEW), many: await place(MANY) })
    })
    const postgres = await startCluster()
    try {
      return [...embedded, ...(await withProcesses((processes) => compareOnPostgres(processes, postgres)))]
    } finally {
      await postgres.stop()
    }
  },
}

interface Place {
  settings: Record<string, string>
  dataDirectory: string
}

async function compareOnPostgres(processes: Processes, postgres: PostgresCluster): Promise<Measurement[]> {
  const place = async (chats: number) => {
    const { url } = await createDatabase(postgres.url)
    await storeChatsInPostgres(url, chats, Date.now(), CHATS_OF_A_VISITOR)
    return { settings: { DATABASE_URL: url }, dataDirectory: processes.folder() }
  }
  return compare(processes, 'PostgreSQL', { few: await place(FEW), many: await place(MANY) })
}

async function compare(processes: Processes, database: string, places: Sizes<Place>): Promise<Measurement[]> {
  const model = await processes.model([])
  const start = ({ settings, dataDirectory }: Place) =>
    processes.parley({ settings: { ...settingsFor(model), ...settings, RETENTION_DAYS: '3650' }, dataDirectory })
  const starts: Sizes<number[]> = { few: [], many: [] }
  const servers = { few: await start(places.few), many: await start(places.many) }
  const visitors = { few: await newVisitor(servers.few), many: await newVisitor(servers.many) }
  const times = new Map<string, Sizes<number[]>>()
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1)
    for (const size of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const))
      for (const [name, act] of Object.entries(ACTIONS)) {
        const begun = performance.now()
        await act(visitors[size])
        const samples = times.get(name) ?? { few: [], many: [] }
        times.set(name, samples)
        if (round >= WARM_UP_ROUNDS) samples[size].push(performance.now() - begun)
      }
  for (const server of Object.values(servers)) await processes.stop(server)
  for (let round = 0; round < STARTS; round += 1)
    for (const size of ['few', 'many'] as const) {
      const begun = performance.now()
      const server = await start(places[size])
      starts[size].push(performance.now() - begun)
      await processes.stop(server)
    }
  times.set('start', starts)
  return [...times].map(([name, { few, many }]) =>
    relativeTo(
      `${name} beside ${MANY.toLocaleString('en')} chats, ${database}`,
      median(many),
      { name: `beside ${FEW.toLocaleString('en')}`, value: median(few) },
      milliseconds,
      ALLOWED,
    ),
  )
}

interface Visitor {
  url: string
  cookie: string
}

const ACTIONS: Record<string, (visitor: Visitor) => Promise<unknown>> = {
  list: (visitor) => read(visitor, '/api/v1/sessions'),
  prompt: (visitor) => prompt(visitor),
  search: (visitor) => read(visitor, '/api/v1/search?q=hello'),
  export: (visitor) => read(visitor, '/api/v1/me/export'),
}

async function newVisitor({ url }: Running): Promise<Visitor> {
  const response = await send(url, {})
  const cookie = response.headers.getSetCookie().find((value) => value.startsWith('visitor='))
  const visitor = { url, cookie: cookie?.split(';', 1)[0] ?? '' }
  for (let chat = 1; chat < OWN_CHATS; chat += 1) await (await send(url, { cookie: visitor.cookie })).text()
  return visitor
}

/** A prompt in the newest chat, so that the visitor's chats stay as many. */
async function prompt(visitor: Visitor): Promise<void> {
  const { sessions } = JSON.parse(await read(visitor, '/api/v1/sessions')) as { sessions: { key: string }[] }
  const response = await send(visitor.url, { cookie: visitor.cookie }, `?session_id=${sessions[0]?.key}`)
  if (response.status !== 200) throw new Error(`A prompt was answered with ${response.status}.`)
  await response.text()
}

function send(url: string, headers: Record<string, string>, query = ''): Promise<Response> {
  return fetch(`${url}/api/v1/agent/chat/me${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ prompt: 'Say hello, please.' }),
  })
}

async function read({ url, cookie }: Visitor, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { cookie } })
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`)
  return response.text()
}
