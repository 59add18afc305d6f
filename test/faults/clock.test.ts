import { setTimeout as pause } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { startServer } from '../support/server.ts'
import { isMissing } from '../support/services.ts'
import { createClock } from './kit/clock.ts'
import { freezeFor } from './kit/freeze.ts'
import { INSPECTED, inspect } from './kit/inspector.ts'
import { knownVisitor, startStage } from './kit/stage.ts'
import { sessionsWithGaps, storedRows } from './kit/stored-rows.ts'
import { answerOf, expectBody, expectReading, spokenIn, surely } from './kit/visitor.ts'

const HOUR_S = 60 * 60
const YEAR_S = 365 * 24 * HOUR_S
/** Longer than two heartbeats, so the sweeper has run in between. */
const BEATS_MS = 12_000

const slowFor = (seconds: number) => [{ text: Array.from({ length: seconds * 10 }, (_, index) => `word${index} `), tokensPerSecond: 10 }]

describe.concurrent.each(DATABASES)('on %s', (database) => {
  test.skipIf(isMissing('libfaketime'))(
    'F22: a clock that jumps by an hour or a year, ahead or back, ends no turn and keeps the order',
    async ({ expect }) => {
      const clock = createClock()
      // Long retention, so old chats are not purged.
      const stage = await startStage({ database, env: { ...clock.env, RETENTION_DAYS: '3650' } })
      // Another process on the same database, whose clock is right, has turns of its own.
      const { DATABASE_URL, OPENAI_BASE_URL, MODEL } = stage.server.env
      const other = await startServer({ database, env: { DATABASE_URL, DATA_DIR: stage.server.dataDirectory, OPENAI_BASE_URL, MODEL } })
      try {
        stage.model.script(({ prompt }) => (prompt.startsWith('slow') ? slowFor(40) : undefined))
        const visitor = await stage.visitor()
        const elsewhere = await knownVisitor(other.url)
        const tellers = [visitor, visitor, visitor, elsewhere, elsewhere]
        const readings = await Promise.all(tellers.map(async (teller, index) => expectReading(await teller.send(`slow ${index}`))))
        await Promise.all(readings.map((reading) => reading.firstText))
        const talk = expectReading(await visitor.send('Message 0.'))
        await talk.ended
        const jumps = [HOUR_S, YEAR_S, -HOUR_S]
        for (const [index, offset] of jumps.entries()) {
          clock.setOffset(offset)
          await pause(BEATS_MS)
          const next = expectReading(await visitor.send(`Message ${index + 1}.`, { session: talk.session }))
          await next.ended
          expect([next.session, next.status]).toEqual([talk.session, 'done'])
        }
        const spoken = spokenIn(expectBody(await visitor.session(talk.session))).filter((line) => line.startsWith('human'))
        expect(spoken).toEqual(['human: Message 0.', 'human: Message 1.', 'human: Message 2.', 'human: Message 3.'])
        expect(await sessionsWithGaps(stage.server)).toEqual([])
        await Promise.all(readings.map((reading) => reading.ended))
        expect(readings.map((reading) => reading.status)).toEqual(Array(readings.length).fill('done'))
      } finally {
        await other.stop()
        await stage.stop()
        clock.remove()
      }
    },
    600_000,
  )

  test.skipIf(isMissing('libfaketime'))('F22: a clock that jumps does not raise anybody’s quota', async ({ expect }) => {
    const clock = createClock()
    const stage = await startStage({ database, env: { ...clock.env, LIMIT_LOOPBACK: 'true', LIMIT_PROMPTS_PER_DAY: '3' } })
    try {
      const visitor = await stage.visitor()
      for (const prompt of ['One.', 'Two.', 'Three.']) await expectReading(await visitor.send(prompt)).ended
      expect(await visitor.send('Four.')).toMatchObject({ kind: 'rejected', status: 429 })
      for (const offset of [HOUR_S, YEAR_S, -YEAR_S]) {
        clock.setOffset(offset)
        // libfaketime caches the offset for this time.
        await pause(1_500)
        expect(await visitor.send('And now?')).toMatchObject({ kind: 'rejected', status: 429 })
      }
    } finally {
      await stage.stop()
      clock.remove()
    }
  })

  test.skipIf(isMissing('libfaketime')).for([40, -40])(
    'F22: a start with a clock that is wrong by %i days deletes no chat until the time is confirmed',
    async (days, { expect }) => {
      const clock = createClock()
      const stage = await startStage({ database, env: { ...clock.env, RETENTION_DAYS: '30' } })
      try {
        const visitor = await stage.visitor()
        const talk = expectReading(await visitor.send('Keep me.'))
        await talk.ended
        clock.setOffset(days * 24 * HOUR_S)
        await stage.server.restart()
        // A purge runs at the start.
        await pause(BEATS_MS)
        const answered = expectReading(await visitor.send('Still there?', { session: talk.session }))
        await answered.ended
        expect([answered.session, answered.status]).toEqual([talk.session, 'done'])
        expect(await storedRows(stage.server, `SELECT 1 FROM messages WHERE parts LIKE '%Keep me.%'`)).toHaveLength(1)
        if (days > 0) expect(stage.server.output()).toContain('parley confirm-clock')
        clock.setOffset(0)
        await stage.server.restart()
        expect(spokenIn(await surely(() => visitor.session(talk.session)))[0]).toBe('human: Keep me.')
      } finally {
        await stage.stop()
        clock.remove()
      }
    },
  )

  test('F24: an event loop blocked for two seconds ends no running turn', async ({ expect }) => {
    const stage = await startStage({ database, env: INSPECTED })
    // Another process on the same database sweeps meanwhile.
    const { DATABASE_URL, OPENAI_BASE_URL, MODEL } = stage.server.env
    const other = await startServer({ database, env: { DATABASE_URL, DATA_DIR: stage.server.dataDirectory, OPENAI_BASE_URL, MODEL } })
    try {
      stage.model.script(({ prompt }) => (prompt.startsWith('slow') ? slowFor(15) : undefined))
      const visitor = await knownVisitor(stage.server.url)
      const readings = await Promise.all(Array.from({ length: 5 }, async (_, index) => expectReading(await visitor.send(`slow ${index}`))))
      await Promise.all(readings.map((reading) => reading.firstText))
      const inspector = await inspect(stage.server)
      await inspector.block(2_000)
      await freezeFor(stage.server.pid, 2_000)
      await inspector.block(2_000)
      inspector.close()
      expect(await Promise.all(readings.map((reading) => reading.ended))).toEqual(Array(readings.length).fill(true))
      for (const reading of readings) {
        expect(reading.status).toBe('done')
        expect(answerOf(expectBody(await visitor.session(reading.session)), reading.turn)).toEqual({ text: reading.text, status: 'done' })
      }
    } finally {
      await other.stop()
      await stage.stop()
    }
  })
})
