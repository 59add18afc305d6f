import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { sessionsWithGaps } from './kit/stored-rows.ts'
import { expectBody, expectReading, isReading, type Rejection, spokenIn } from './kit/visitor.ts'

describe.each(DATABASES)('concurrent prompts on %s', (database) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage({ database })
    stage.model.script(({ prompt }) =>
      prompt.startsWith('slow') ? [{ text: 'a slow answer '.repeat(10), tokensPerSecond: 40 }] : undefined,
    )
  })
  afterAll(() => stage.stop())

  test('F8: fifty with the same key are one turn and one model call', async () => {
    const visitor = await stage.visitor()
    const key = randomUUID()
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => visitor.send('slow: fifty at once', { key })))
    const readings = outcomes.map(expectReading)
    await Promise.all(readings.map((reading) => reading.ended))
    expect(new Set(readings.map((reading) => reading.turn)).size).toBe(1)
    expect(new Set(readings.map((reading) => reading.text))).toEqual(new Set(['a slow answer '.repeat(10)]))
    expect(stage.model.requests.filter(({ prompt }) => prompt === 'slow: fifty at once')).toHaveLength(1)
    const sessions = expectBody(await visitor.sessions())
    expect(sessions).toHaveLength(2)
    expect(await visitor.send('something else', { key })).toMatchObject({ kind: 'rejected', status: 422 })
  })

  test('F9: from two tabs to one session: one is accepted, the other names the running turn, and the order has no gap', async () => {
    const visitor = await stage.visitor()
    const [own] = expectBody(await visitor.sessions())
    const session = own?.key
    for (const round of [1, 2, 3]) {
      const areDecided = Promise.withResolvers<void>()
      stage.model.script(({ prompt }) => (prompt.startsWith('tab') ? [{ text: 'Done' }, { until: areDecided.promise }] : undefined))
      const prompts = [`tab one ${round}`, `tab two ${round}`]
      const outcomes = await Promise.all(prompts.map((prompt) => visitor.send(prompt, { session })))
      areDecided.resolve()
      const readings = outcomes.filter(isReading)
      await Promise.all(readings.map((reading) => reading.ended))
      const rejections = outcomes.filter((outcome): outcome is Rejection => outcome.kind === 'rejected')
      expect(rejections).toEqual([expect.objectContaining({ status: 409, code: 'session_busy', turn: readings[0]?.turn })])
    }
    expect(spokenIn(expectBody(await visitor.session(session ?? '')))).toHaveLength(8)
    expect(await sessionsWithGaps(stage.server)).toEqual([])
  })
})
