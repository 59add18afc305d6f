import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerOf, expectBody, expectReading, spokenIn, Visitor } from '../faults/kit/visitor.ts'
import { eventually } from '../support/eventually.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

// F21: two processes share one embedded database and nothing else.

let model: ScriptedModel
let first: TestServer
let second: TestServer
beforeAll(async () => {
  model = await startScriptedModel()
  const env = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', INSTALLATION_KEY: randomBytes(32).toString('hex') }
  first = await startServer({ database: 'sqlite', env })
  second = await startServer({ database: 'sqlite', env: { ...env, DATA_DIR: first.dataDirectory } })
})
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()])
  await model.close()
})

const isWhole = () => {
  const database = new DatabaseSync(join(first.dataDirectory, 'parley.db'), { readOnly: true })
  try {
    return database.prepare('PRAGMA integrity_check').all()
  } finally {
    database.close()
  }
}

test('F21 two processes on one embedded database lose and corrupt nothing', async () => {
  const visitors = Array.from({ length: 40 }, (_, index) => new Visitor(index % 2 === 0 ? first.url : second.url))
  model.script(({ prompt }) =>
    prompt.startsWith('Both') ? [{ text: `${prompt}: one two three four five six`, tokensPerSecond: 40 }] : undefined,
  )
  const sessions = await Promise.all(
    visitors.map(async (visitor, index) => {
      const turn = expectReading(await visitor.send(`Both ${index}`))
      await turn.ended
      expect([turn.status, turn.text]).toEqual(['done', `Both ${index}: one two three four five six`])
      return turn.session
    }),
  )
  for (const [index, visitor] of visitors.entries()) {
    visitor.url = index % 2 === 0 ? second.url : first.url
    expect(spokenIn(expectBody(await visitor.session(sessions[index] as string)))).toEqual([
      `human: Both ${index}`,
      `agent: Both ${index}: one two three four five six`,
    ])
  }
  expect(isWhole()).toEqual([{ integrity_check: 'ok' }])
})

test('F21 each process follows and stops turns of the other', async () => {
  model.script([{ endless: ' more', tokensPerSecond: 20 }])
  const visitor = new Visitor(first.url)
  const turn = expectReading(await visitor.send('Endless'))
  await turn.begun
  visitor.url = second.url
  const there = expectReading(await visitor.follow(turn.turn))
  await eventually(() => expect(there.text.length).toBeGreaterThan(50))
  expect(await visitor.stop(turn.turn)).toMatchObject({ status: 'stopped' })
  await Promise.all([turn.ended, there.ended])
  expect(there.text).toBe(turn.text)
})

test('F21 turns of a killed process are ended by the other within seconds, with everything that was shown', async () => {
  model.script([{ endless: ' on', tokensPerSecond: 40 }])
  const visitor = new Visitor(first.url)
  const turn = expectReading(await visitor.send('Until the end'))
  await eventually(() => expect(turn.text.length).toBeGreaterThan(30))
  await first.kill('SIGKILL')
  await turn.ended
  visitor.url = second.url
  const there = expectReading(await visitor.follow(turn.turn))
  await there.ended
  expect(there.status).toBe('interrupted')
  const stored = answerOf(expectBody(await visitor.session(turn.session)), turn.turn)
  expect(stored?.text.startsWith(turn.text)).toBe(true)
  expect(there.text).toBe(stored?.text)
  expect(isWhole()).toEqual([{ integrity_check: 'ok' }])
})
