import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { deleteStop, insertStop, NO_STOPS, readStops, type Stop, stopsVersion } from '../store/staff/stops.ts'
import { AgentPolicy } from '../replies/agent-policy.ts'
import { NO_POLICY } from '../replies/policy.ts'
import { type ConcernedTurn, Stops } from './stops.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())
beforeEach(async () => {
  for (const { id } of (await readStops(opened.database)).stops) await deleteStop(opened.database, id)
})

let ids = 0
const stop = (change: Partial<Stop>): Stop => ({
  id: `stop-${(ids += 1)}`,
  scope: 'all',
  target: '',
  examples: [],
  reply: null,
  reason: 'A test',
  createdAt: ids,
  ...change,
})
const insert = (change: Partial<Stop> = {}) => insertStop(opened.database, stop(change))
const TURN: ConcernedTurn = { agent: 'assistant', prompt: 'How high are parking fines?', files: ['fees.md'] }

/** Stops, with whether each reading of them concerned `TURN`. */
function watched() {
  const concerned: boolean[] = []
  const faults: string[] = []
  const stops = new Stops({
    database: opened.database,
    suspend: async (concerns) => void concerned.push(await concerns(TURN)),
    onFault: (message) => faults.push(message),
  })
  return { stops, concerned, faults }
}

test('stops that are added while turns run reach these, one after another', async () => {
  const { stops, concerned } = watched()
  let looks = 0
  stops.watch(() => (looks += 1) > 0)
  await insert({ scope: 'file', target: 'other.md' })
  await vi.waitFor(() => expect(concerned).toEqual([false]), { timeout: 120_000 })
  await insert({ scope: 'file', target: 'fees.md' })
  await vi.waitFor(() => expect(concerned).toEqual([false, true]), { timeout: 120_000 })
  const before = looks
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 1), { timeout: 120_000 })
  // What has not changed is not read again.
  expect(concerned).toEqual([false, true])
  stops.close()
})

test('a prompt is decided by the stops that were in force when it was stored', async () => {
  const { stops } = watched()
  const decide = (version: string) => {
    const prompt = { prompt: TURN.prompt, languages: [], version, onDecided: () => undefined }
    return stops.decide({ id: TURN.agent, policy: new AgentPolicy(NO_POLICY, null) }, prompt)
  }
  expect(await decide(NO_STOPS)).toEqual({ reply: null, files: [] })
  await insert({ scope: 'file', target: 'fees.md' })
  await insert({ scope: 'agent', target: 'assistant', reply: 'Ask us by telephone.' })
  expect(await decide(await stopsVersion(opened.database))).toMatchObject({ reply: { state: 'suspended' }, files: ['fees.md'] })
  stops.close()
})

test('a look that fails is logged once, and tried again', async () => {
  const { database, remove } = await openTestDatabase('sqlite')
  const faults: string[] = []
  const stops = new Stops({ database, suspend: async () => undefined, onFault: (message) => faults.push(message) })
  await database.schema.alterTable('installation_facts').renameTo('elsewhere').execute()
  let looks = 0
  stops.watch(() => (looks += 1) > 0)
  await vi.waitFor(() => expect(looks).toBe(3), { timeout: 120_000 })
  expect(faults).toEqual(['Reading what staff have stopped failed; retrying'])
  stops.close()
  await remove()
})

test('nothing is read while no turn runs, and watching begins again with the next one', async () => {
  const { stops, concerned } = watched()
  const needed = Promise.withResolvers<void>()
  stops.watch(() => {
    needed.resolve()
    return false
  })
  await insert()
  await needed.promise
  expect(concerned).toEqual([])
  stops.watch(() => true)
  await vi.waitFor(() => expect(concerned).toEqual([true]), { timeout: 120_000 })
  stops.close()
})

test('a closed process reads nothing', async () => {
  const { stops, concerned } = watched()
  const asked = vi.fn<() => boolean>(() => true)
  stops.close()
  stops.watch(asked)
  const other = watched()
  other.stops.watch(() => true)
  await insert()
  await vi.waitFor(() => expect(other.concerned).toEqual([true]), { timeout: 120_000 })
  expect([asked.mock.calls.length, concerned]).toEqual([0, []])
  other.stops.close()
})
