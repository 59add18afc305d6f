import { setTimeout as pause } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import { DATABASES } from '../support/databases.ts'
import { sampleSize } from '../support/sample-size.ts'
import { runBudgetCrashes } from './kit/budget-crash-run.ts'
import { runCrashes } from './kit/crash-run.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { sessionsWithGaps } from './kit/stored-rows.ts'
import { startTcpProxy, type TcpProxy } from './kit/tcp-proxy.ts'
import { answerOf, expectBody, expectReading, spokenIn, type Visitor } from './kit/visitor.ts'
import { lockWrites } from './kit/write-lock.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
/** A start ends the turns of an earlier life itself: sooner than other processes notice (R5: 30 s). */
const BY_THE_BOOT = { timeout: 25_000 }

describe.each(DATABASES)('kill -9 on %s', (database) => {
  let stage: Stage
  let toModel: TcpProxy
  beforeAll(async () => {
    const through = async (baseUrl: string) => {
      toModel = await startTcpProxy(baseUrl)
      return toModel.through(baseUrl)
    }
    stage = await startStage({ database, through })
  })
  afterAll(async () => {
    await stage.stop()
    await toModel.close()
  })

  const statusOf = async (visitor: Visitor, turn: string) => expectBody(await visitor.turn(turn)).status
  const heardByModel = (prompt: string) => stage.model.requests.filter((request) => request.prompt === prompt).length
  const sessionsOf = async (visitor: Visitor): Promise<SessionDetail[]> =>
    Promise.all(expectBody(await visitor.sessions()).map(async ({ key }) => expectBody(await visitor.session(key))))
  const timesStored = async (visitor: Visitor, prompt: string) =>
    (await sessionsOf(visitor)).flatMap(spokenIn).filter((line) => line === `human: ${prompt}`).length

  test('F3: before the commit leaves no data, and the same key starts a new turn', async () => {
    const visitor = await stage.visitor()
    const prompt = 'Killed before the commit.'
    const key = randomUUID()
    const release = await lockWrites(stage.server)
    const sending = visitor.send(prompt, { key })
    // The server can't commit meanwhile: the lock is held until it is dead.
    await pause(300)
    await stage.server.kill('SIGKILL')
    await release()
    expect((await sending).kind).toBe('unknown')
    await stage.server.restart()
    expect(await timesStored(visitor, prompt)).toBe(0)
    expect(heardByModel(prompt)).toBe(0)
    const reading = expectReading(await visitor.send(prompt, { key }))
    expect(await reading.ended).toBe(true)
    expect(reading.status).toBe('done')
    expect(await timesStored(visitor, prompt)).toBe(1)
  })

  test('F4: after the commit and before the model call keeps the prompt, marks it as interrupted, and runs its key once', async () => {
    const visitor = await stage.visitor()
    const prompt = 'Killed before the model.'
    const key = randomUUID()
    toModel.set('up', { kind: 'black-hole' })
    const reading = expectReading(await visitor.send(prompt, { key }))
    await reading.begun
    await stage.server.kill('SIGKILL')
    toModel.set('up', { kind: 'none' })
    await stage.server.restart()
    await expect.poll(() => statusOf(visitor, reading.turn), BY_THE_BOOT).toBe('interrupted')
    const again = expectReading(await visitor.send(prompt, { key }))
    await again.ended
    expect([again.turn, again.status]).toEqual([reading.turn, 'interrupted'])
    expect(await timesStored(visitor, prompt)).toBe(1)
    expect(heardByModel(prompt)).toBe(0)
  })

  test('F5: during streams loses no prompt and nothing that was shown', async () => {
    console.log(`F5 on ${database}: SEED=${seed}`)
    const figures = await runCrashes({ database, kills: sampleSize({ long: 5, short: 2 }), seed })
    expect(figures.broken).toEqual([])
    expect(figures.acknowledged).toBeGreaterThan(0)
  })

  test('F5: during turns releases no reservation, and never exceeds the budget', async () => {
    console.log(`F5, money, on ${database}: SEED=${seed}`)
    const figures = await runBudgetCrashes({ database, kills: sampleSize({ long: 2, short: 1 }), seed })
    expect(figures.broken).toEqual([])
    expect(figures.taken).toBeGreaterThan(0)
  })

  test('F6: while the end is stored leaves the turn done or interrupted, never both', async () => {
    const visitor = await stage.visitor()
    let ending = Promise.withResolvers<void>()
    stage.model.script((request) =>
      request.prompt.startsWith('Killed at the end') ? [{ text: ['The ', 'end'] }, { until: ending.promise }] : undefined,
    )
    const lifetimesMs = fc.sample(fc.integer({ min: 0, max: 50 }), { seed, numRuns: sampleSize({ long: 4, short: 2 }) })
    for (const [round, aliveMs] of lifetimesMs.entries()) {
      ending = Promise.withResolvers()
      const prompts = Array.from({ length: 5 }, (_, index) => `Killed at the end ${round}.${index}.`)
      const readings = await Promise.all(prompts.map(async (prompt) => expectReading(await visitor.send(prompt))))
      await Promise.all(readings.map((reading) => reading.firstText))
      // In one round the end can't be written.
      const release = round === 0 ? await lockWrites(stage.server) : undefined
      ending.resolve()
      await pause(aliveMs)
      await stage.server.kill('SIGKILL')
      await release?.()
      await stage.server.restart()
      for (const reading of readings) {
        await expect.poll(() => statusOf(visitor, reading.turn), BY_THE_BOOT).not.toBe('running')
        const status = await statusOf(visitor, reading.turn)
        const detail = expectBody(await visitor.session(reading.session))
        const possible = round === 0 ? ['interrupted'] : ['done', 'interrupted']
        expect(reading.status === null ? possible : [reading.status]).toContain(status)
        expect(detail.messages).toHaveLength(2)
        const answer = answerOf(detail, reading.turn)
        expect(answer?.status).toBe(status)
        expect(answer?.text.startsWith(reading.text), `stored "${answer?.text}", shown "${reading.text}"`).toBe(true)
      }
    }
    expect(await sessionsWithGaps(stage.server)).toEqual([])
  })
})
