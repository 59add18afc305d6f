import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHALLENGE_LIFE_MS, ProofOfWork } from '../../src/server/limits/proof-of-work.ts'
import { Quotas } from '../../src/server/limits/quotas.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { proofOf } from '../support/proof-of-work.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'
import { purgeEnded } from '../../src/server/store/sessions/retention.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

function workOn({ database }: OpenedDatabase, clock: { now: number }, onFault: (message: string) => void = fail) {
  const now = () => clock.now
  return new ProofOfWork({ keys: ['the key of this installation'], quotas: new Quotas({ database, now, onFault }), now })
}

describe.each(BOTH_DATABASES)('proof of work on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  test('is accepted for five minutes and no longer', async () => {
    const clock = { now: NOON }
    const work = workOn(opened, clock)
    const [early, late] = [await proofOf(await work.challenge('here')), await proofOf(await work.challenge('here'))]
    clock.now = NOON + CHALLENGE_LIFE_MS - 1
    expect(await work.accept(early, 'here')).toBeTypeOf('function')
    clock.now = NOON + CHALLENGE_LIFE_MS
    expect(await work.accept(late, 'here')).toBeUndefined()
  })

  test('is accepted once across processes, for as long as accepted solutions are remembered', async () => {
    const clock = { now: NOON }
    const [one, other] = [workOn(opened, clock), workOn(opened, clock)]
    const proof = await proofOf(await one.challenge('here'))
    const accepted = await Promise.all([one, other, one, other].map((work) => work.accept(proof, 'here')))
    expect(accepted.filter(Boolean)).toHaveLength(1)
    clock.now = NOON + CHALLENGE_LIFE_MS - 1
    await purgeEnded(opened.database, 'quota_counts', clock.now, 1_000)
    expect(await other.accept(proof, 'here')).toBeUndefined()
    clock.now = NOON + CHALLENGE_LIFE_MS
    await purgeEnded(opened.database, 'quota_counts', clock.now, 1_000)
    expect(await other.accept(proof, 'here')).toBeUndefined()
  })

  test('is accepted again when the request it was for did not succeed', async () => {
    const work = workOn(opened, { now: NOON })
    const proof = await proofOf(await work.challenge('here'))
    const undo = await work.accept(proof, 'here')
    expect(await work.accept(proof, 'here')).toBeUndefined()
    await undo?.()
    expect(await work.accept(proof, 'here')).toBeTypeOf('function')
  })
})

test('proof of work is required, and accepted once, while the database is unavailable', async () => {
  const opened = await openTestDatabase('sqlite')
  await opened.remove()
  const faults: string[] = []
  const work = workOn(opened, { now: NOON }, (message) => faults.push(message))
  const proof = await proofOf(await work.challenge('here'))
  const wrong = { ...proof, solution: { ...proof.solution, derivedKey: '00'.repeat(32) } }
  expect(await work.accept(wrong, 'here')).toBeUndefined()
  expect(await work.accept(proof, 'here')).toBeTypeOf('function')
  expect(await work.accept(proof, 'here')).toBeUndefined()
  expect(faults).toHaveLength(1)
})

function fail(message: string): never {
  throw new Error(message)
}
