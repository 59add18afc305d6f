import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startRedis } from '../support/redis.ts'
import { startServer } from '../support/server.ts'
import { isMissing } from '../support/services.ts'
import { startStage } from './kit/stage.ts'
import { expectReading, Visitor } from './kit/visitor.ts'

const WORDS = Array.from({ length: 100 }, (_, index) => `word${index} `)

describe.skipIf(isMissing('Redis') || isMissing('PostgreSQL'))('two processes', () => {
  test('F23: whose Redis goes away and comes back lose nothing of a stream, and refuse nothing', async () => {
    const redis = await startRedis()
    const shared = { REDIS_URL: redis.url, INSTALLATION_KEY: randomBytes(32).toString('base64url') }
    const stage = await startStage({ database: 'postgres', env: shared })
    const { DATABASE_URL, OPENAI_BASE_URL, MODEL } = stage.server.env
    const other = await startServer({ database: 'sqlite', env: { ...shared, DATABASE_URL, OPENAI_BASE_URL, MODEL } })
    try {
      stage.model.script(({ prompt }) => (prompt.startsWith('slow') ? [{ text: WORDS, tokensPerSecond: 20 }] : undefined))
      const visitor = await stage.visitor()
      const elsewhere = new Visitor(other.url)
      elsewhere.cookie = visitor.cookie
      const reading = expectReading(await visitor.send('slow: read at the other process'))
      await reading.firstText
      const away = expectReading(await elsewhere.follow(reading.turn))
      await away.firstText
      await redis.kill()
      const during = expectReading(await elsewhere.send('Without Redis.'))
      await during.ended
      expect(during.status).toBe('done')
      const late = expectReading(await elsewhere.follow(reading.turn))
      await late.firstText
      await redis.start()
      await Promise.all([reading.ended, away.ended, late.ended])
      for (const { status, text, gaps } of [reading, away, late]) {
        expect({ status, text, gaps }).toEqual({ status: 'done', text: WORDS.join(''), gaps: [] })
      }
      const after = expectReading(await elsewhere.send('With Redis again.'))
      await after.ended
      expect(after.status).toBe('done')
    } finally {
      await other.stop()
      await stage.stop()
      await redis.kill()
    }
  }, 60_000)
})
