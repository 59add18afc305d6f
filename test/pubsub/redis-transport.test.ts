import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PubSub } from '../../src/server/pubsub/pubsub.ts'
import { redisTransport } from '../../src/server/pubsub/redis-transport.ts'
import { eventually } from '../support/eventually.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'

let redis: TestRedis
let bells: PubSub[]
let told: string[]
beforeEach(async () => {
  redis = await startRedis()
  told = []
  bells = [bellOf(), bellOf()]
})
afterEach(async () => {
  for (const pubsub of bells) await pubsub.close()
  redis.freeze(false)
  await redis.kill()
})

const bellOf = () =>
  new PubSub(redisTransport({ at: redis.url, onUnavailable: () => told.push('away'), onAvailable: () => told.push('there') }))
const trusted = () => areTrusted(true)
const untrusted = () => areTrusted(false)

async function areTrusted(areSo: boolean) {
  await expect.poll(() => bells.map((pubsub) => pubsub.isReliable)).toEqual([areSo, areSo])
}

/** Publishes at the first pubsub until the second has received it. */
async function expectHeard(topic: string) {
  const [near, far] = bells as [PubSub, PubSub]
  let count = 0
  const stop = far.subscribe(topic, () => (count += 1))
  near.publish(topic)
  await eventually(() => expect(count).toBe(1))
  stop()
}

test('publishes to other processes', async () => {
  await trusted()
  await expectHeard('turn:1')
})

test('is not trusted while Redis is unavailable, silently drops publications then, and is trusted again afterwards', async () => {
  await trusted()
  await redis.kill()
  await untrusted()
  for (let count = 0; count < 10_000; count += 1) bells[0]?.publish(`turn:${count}`)
  await redis.start()
  await trusted()
  await expectHeard('turn:2')
  expect(told.toSorted()).toEqual(['away', 'away', 'there', 'there', 'there', 'there'])
})

test('is not trusted while Redis does not reply on an open connection', async () => {
  await trusted()
  redis.freeze(true)
  await untrusted()
  bells[0]?.publish('turn:3')
  redis.freeze(false)
  await trusted()
  await expectHeard('turn:4')
})

test('publishes more topics than fit in a message', async () => {
  await trusted()
  const [near, far] = bells as [PubSub, PubSub]
  let count = 0
  far.subscribe('turn:4999', () => (count += 1))
  near.publish(...Array.from({ length: 5000 }, (_, index) => `turn:${index}`))
  await eventually(() => expect(count).toBeGreaterThan(0))
})

test('tells its own subscribers once', async () => {
  await trusted()
  const [near, far] = bells as [PubSub, PubSub]
  let count = 0
  near.subscribe('turn:6', () => (count += 1))
  const heardFar = new Promise<void>((resolve) => far.subscribe('turn:6', resolve))
  const heardNear = new Promise<void>((resolve) => near.subscribe('turn:7', resolve))
  near.publish('turn:6')
  await heardFar
  // Redis sends it after the first.
  far.publish('turn:7')
  await heardNear
  expect(count).toBe(1)
})

test('sends topics that follow each other closely in one message', async () => {
  await trusted()
  const { Redis } = await import('ioredis')
  const observer = new Redis(redis.url)
  let messages = 0
  observer.on('message', (_channel, message: string) => (messages += message.includes('turn:') ? 1 : 0))
  await observer.subscribe('parley:pubsub')
  const [near, far] = bells as [PubSub, PubSub]
  const heard = new Set<number>()
  const startedAt = performance.now()
  for (let index = 0; index < 200; index += 1) {
    far.subscribe(`turn:${index}`, () => heard.add(index))
    near.publish(`turn:${index}`)
    await nextTurn()
  }
  await eventually(() => expect(heard.size).toBe(200))
  // Not more than one in ten milliseconds, of which a timer may leave out one.
  expect(messages).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 9)
  observer.disconnect()
})

test('ignores messages that are not its own', async () => {
  await trusted()
  const { Redis } = await import('ioredis')
  const stranger = new Redis(redis.url)
  for (const message of ['', '{', '{}', '"turn:1"', '[1]', JSON.stringify(['x'.repeat(200)])])
    for (const origin of ['', ' ', 'stranger ']) await stranger.publish('parley:pubsub', origin + message)
  stranger.disconnect()
  await expectHeard('turn:5')
})
