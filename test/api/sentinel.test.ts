import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectReading, Visitor } from '../faults/kit/visitor.ts'
import { eventually } from '../support/eventually.ts'
import { type ProcessPair, startPair } from '../support/process-pair.ts'
import { startSentinel, type TestSentinel } from '../support/redis.ts'
import { isMissing } from '../support/services.ts'

const TOKEN = randomUUID()
const WORDS = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
const missesRedis = isMissing('redis') || process.env['TEST_REDIS_URL'] !== undefined

describe.skipIf(isMissing('postgresql') || missesRedis)('two processes with a Redis that Sentinel watches', () => {
  let redis: TestSentinel
  let pair: ProcessPair
  beforeAll(async () => {
    redis = await startSentinel()
    pair = await startPair({ redisUrl: redis.url, env: { METRICS_TOKEN: TOKEN } })
  })
  afterAll(async () => {
    await pair?.stop()
    await redis.kill()
  })

  const areUp = async () => {
    for (const { url } of [pair.near, pair.far]) {
      const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
      expect(await reply.text()).toContain('parley_redis_up 1\n')
    }
  }

  test('lose nothing of answers that run during a failover, and hear each other through the new master', async () => {
    const { near, far, model } = pair
    await eventually(areUp)
    model.script(() => [{ text: WORDS, tokensPerSecond: 20 }])
    const started = []
    for (let index = 0; index < 5; index += 1) {
      const visitor = new Visitor(near.url)
      const turn = expectReading(await visitor.send(`Prompt ${index}`))
      await turn.begun
      const there = new Visitor(far.url)
      there.cookie = visitor.cookie
      started.push(turn, expectReading(await there.follow(turn.turn)))
    }
    await redis.failOver()
    await Promise.all(started.map(({ ended }) => ended))
    for (const { text, status } of started) expect([text, status]).toEqual([WORDS, 'done'])
    await eventually(areUp)
  })
})
