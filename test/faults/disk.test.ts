import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startServer } from '../support/server.ts'
import { isMissing } from '../support/services.ts'
import { mountSmallDisk } from './kit/small-disk.ts'
import { knownVisitor, startStage } from './kit/stage.ts'
import { sessionsWithGaps } from './kit/stored-rows.ts'
import { answerOf, expectBody, expectReading, type Reading, spokenIn, type Visitor } from './kit/visitor.ts'

const DISK_BYTES = 32 * 1024 * 1024

describe.skipIf(isMissing('tmpfs'))('the embedded database', () => {
  test('F20: on a full disk refuses what is written, gives what is there, and heals by itself', async () => {
    const disk = mountSmallDisk(DISK_BYTES)
    const stage = await startStage({ database: 'sqlite', env: { DATA_DIR: disk.path } })
    try {
      const visitor = await stage.visitor()
      const kept = expectReading(await visitor.send('Before the disk was full.'))
      await kept.ended
      const makeRoom = disk.fill()
      // What the log still has room for may be written; then it is full.
      const refusals: string[] = []
      for (let index = 0; index < 200 && refusals.length < 3; index += 1) {
        const outcome = await visitor.send(`Too much ${index}. ${'x'.repeat(20_000)}`)
        if (outcome.kind === 'reading') await outcome.ended
        else refusals.push(outcome.kind === 'refused' ? `${outcome.status} ${outcome.code}` : outcome.kind)
      }
      expect(refusals).toEqual(Array(3).fill('503 storage_full'))
      expect(spokenIn(expectBody(await visitor.session(kept.session)))[0]).toBe('human: Before the disk was full.')
      expect((await fetch(`${stage.server.url}/healthz`)).status).toBe(200)
      makeRoom()
      const after = expectReading(await visitor.send('After there is room again.'))
      await after.ended
      expect(after.status).toBe('done')
      expect(await sessionsWithGaps({ env: {}, dataDirectory: disk.path })).toEqual([])
      expect(integrityOf(disk.path)).toBe('ok')
    } finally {
      await stage.stop()
      disk.remove()
    }
  }, 60_000)
})

test('F21: two processes on one embedded database lose nothing and corrupt nothing, and one may be killed', async () => {
  const stage = await startStage({ database: 'sqlite' })
  const { OPENAI_BASE_URL, MODEL } = stage.server.env
  const { dataDirectory } = stage.server
  const other = await startServer({ database: 'sqlite', env: { DATA_DIR: dataDirectory, OPENAI_BASE_URL, MODEL } })
  try {
    stage.model.script(({ prompt }) => (prompt.startsWith('slow') ? [{ text: 'some words '.repeat(40), tokensPerSecond: 40 }] : undefined))
    const visitors = await Promise.all([...Array<string>(5).fill(stage.server.url), ...Array<string>(5).fill(other.url)].map(knownVisitor))
    const said: { visitor: Visitor; reading: Reading }[] = []
    const talk = async (visitor: Visitor) => {
      for (const prompt of ['quick 1', 'quick 2', 'quick 3', 'slow 4']) {
        const reading = expectReading(await visitor.send(prompt))
        await (prompt.startsWith('quick') ? reading.ended : reading.firstText)
        said.push({ visitor, reading })
      }
    }
    await Promise.all(visitors.map(talk))
    await other.kill('SIGKILL')
    await Promise.all(said.map(({ reading }) => reading.ended))
    await other.restart()
    for (const { visitor, reading } of said) {
      await expect.poll(async () => expectBody(await visitor.turn(reading.turn)).status, { timeout: 2_000 }).not.toBe('running')
      const answer = answerOf(expectBody(await visitor.session(reading.session)), reading.turn)
      expect(answer?.status).toBe(reading.status ?? 'interrupted')
      expect(answer?.text.startsWith(reading.text)).toBe(true)
    }
    expect(said.filter(({ reading }) => reading.status === 'done')).toHaveLength(35)
    expect(await sessionsWithGaps(stage.server)).toEqual([])
    expect(integrityOf(dataDirectory)).toBe('ok')
  } finally {
    await other.stop('SIGKILL')
    await stage.stop()
  }
}, 60_000)

function integrityOf(dataDirectory: string): unknown {
  const database = new DatabaseSync(join(dataDirectory, 'parley.db'), { readOnly: true, timeout: 5_000 })
  try {
    return Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0]
  } finally {
    database.close()
  }
}
