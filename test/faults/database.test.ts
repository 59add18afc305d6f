import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { createDatabase } from '../support/postgres.ts'
import { type PostgresCluster, startCluster } from '../support/postgres-cluster.ts'
import { isMissing } from '../support/services.ts'
import { freeze } from './kit/freeze.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { runStatement, sessionsWithGaps } from './kit/stored-rows.ts'
import { answerOf, expectBody, expectReading, type Rejection, spokenIn, type Unknown, type Visitor } from './kit/visitor.ts'

const REFUSED = ['prompt', 'sessions', 'session', 'turn', 'stop', 'retry'].map((path) => `${path}: 503 storage_unavailable`)
const WORDS = Array.from({ length: 100 }, (_, index) => `word${index} `)
const WHOLE = WORDS.join('')

describe.skipIf(isMissing('postgresql'))('PostgreSQL', () => {
  let cluster: PostgresCluster
  let stage: Stage
  let visitor: Visitor
  let url: string
  beforeAll(async () => {
    cluster = await startCluster()
    url = (await createDatabase(cluster.url)).url
    stage = await startStage({ database: 'sqlite', env: { DATABASE_URL: url, ...withConstants({ databaseTimeoutMs: 2_000 }) } })
    stage.model.script(({ prompt }) => (prompt.startsWith('slow') ? [{ text: WORDS, tokensPerSecond: 20 }] : undefined))
    visitor = await stage.visitor()
    visitor.isPatient = false
  })
  afterAll(async () => {
    await stage.stop()
    await cluster.stop()
  })

  /** How each route that needs the database reports the outage. Called while it lasts, so no reply waits for its end. */
  async function rejections(): Promise<string[]> {
    const id = 'A'.repeat(21)
    const asks: [string, () => Promise<object>][] = [
      ['prompt', () => visitor.send('Is anybody there?')],
      ['sessions', () => visitor.sessions()],
      ['session', () => visitor.session(id)],
      ['turn', () => visitor.turn(`t_${id}`)],
      ['stop', () => visitor.stop(`t_${id}`)],
      ['retry', () => visitor.retry(`t_${id}`)],
    ]
    return Promise.all(
      asks.map(async ([path, ask]) => {
        const outcome = (await ask()) as Rejection | Unknown
        return `${path}: ${outcome.kind === 'rejected' ? `${outcome.status} ${outcome.code}` : JSON.stringify(outcome)}`
      }),
    )
  }

  const untilItWorks = async () => {
    await expect.poll(async () => (await fetch(`${stage.server.url}/readyz`)).status).toBe(200)
  }

  async function expectWhole(prompt: string, reading: ReturnType<typeof expectReading>): Promise<void> {
    await expect.poll(async () => expectBody(await visitor.turn(reading.turn)).status).not.toBe('running')
    const detail = expectBody(await visitor.session(reading.session))
    const answer = answerOf(detail, reading.turn)
    expect(spokenIn(detail)[0]).toBe(`human: ${prompt}`)
    expect(answer?.text.startsWith(reading.text)).toBe(true)
    expect([
      ['done', WHOLE],
      ['interrupted', answer?.text],
    ]).toContainEqual([answer?.status, answer?.text])
    expect(await sessionsWithGaps({ env: { DATABASE_URL: url }, dataDirectory: '' })).toEqual([])
  }

  test('F19: stopped for 30 s rejects requests meanwhile; a running answer is buffered and then stored', async () => {
    const pid = stage.server.pid
    const reading = expectReading(await visitor.send('slow: stopped'))
    await reading.firstText
    await cluster.pause()
    const startedAt = performance.now()
    while (performance.now() - startedAt < 30_000) {
      expect(await rejections()).toEqual(REFUSED)
      expect((await fetch(`${stage.server.url}/healthz`)).status).toBe(200)
      await pause(3_000)
    }
    await cluster.resume()
    await untilItWorks()
    expect(await reading.ended).toBe(true)
    await expectWhole('slow: stopped', reading)
    expect(stage.server.pid).toBe(pid)
    const next = expectReading(await visitor.send('Back again?'))
    await next.ended
    expect(next.status).toBe('done')
  })

  test('F19: frozen rejects requests meanwhile, and recovers by itself', async () => {
    const reading = expectReading(await visitor.send('slow: frozen'))
    await reading.firstText
    const thaw = freeze(cluster.pid)
    try {
      expect(await rejections()).toEqual(REFUSED)
      expect(await rejections()).toEqual(REFUSED)
    } finally {
      thaw()
    }
    await untilItWorks()
    expect(await reading.ended).toBe(true)
    await expectWhole('slow: frozen', reading)
  })

  test('F19: whose connection is killed during a transaction keeps nothing partial', async () => {
    const blocker = new pg.Client({ connectionString: url })
    blocker.on('error', () => undefined)
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE turns IN SHARE ROW EXCLUSIVE MODE')
    const sending = visitor.send('killed in a transaction')
    // The prompt is inserted, its turn is not, and the transaction waits.
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    await expect.poll(async () => (await runStatement(url, waiting)).length).toBeGreaterThan(0)
    await runStatement(url, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`)
    expect(await sending).toMatchObject({ kind: 'rejected', status: 503, code: 'storage_unavailable' })
    await blocker.query('ROLLBACK')
    await blocker.end()
    const stored = await runStatement(url, "SELECT 1 FROM messages WHERE parts LIKE '%killed in a transaction%'")
    expect(stored).toEqual([])
    const next = expectReading(await visitor.send('And now?'))
    await next.ended
    expect(next.status).toBe('done')
  })

  test('F19: without free connections rejects requests meanwhile', async () => {
    const blocker = new pg.Client({ connectionString: url })
    blocker.on('error', () => undefined)
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE')
    const many = Array.from({ length: 5 }, () => rejections())
    for (const answers of await Promise.all(many)) expect(answers).toEqual(REFUSED)
    await blocker.query('ROLLBACK')
    await blocker.end()
    await untilItWorks()
    const next = expectReading(await visitor.send('And then?'))
    await next.ended
    expect(next.status).toBe('done')
  })
})
