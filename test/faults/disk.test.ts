import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { createDatabase } from '../support/postgres.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { isMissing } from '../support/services.ts'
import { mountSmallDisk } from './kit/small-disk.ts'
import { startStage } from './kit/stage.ts'
import { sessionsWithGaps } from './kit/stored-rows.ts'
import { expectBody, expectReading, type Reading, spokenIn } from './kit/visitor.ts'

const DISK_BYTES = 32 * 1024 * 1024

describe.skipIf(isMissing('tmpfs'))('the embedded database', () => {
  test('F20: on a full disk rejects writes, serves reads, and recovers by itself', async () => {
    const disk = mountSmallDisk(DISK_BYTES)
    const stage = await startStage({ database: 'sqlite', env: { DATA_DIR: disk.path } })
    try {
      const visitor = await stage.visitor()
      const kept = expectReading(await visitor.send('Before the disk was full.'))
      await kept.ended
      const makeRoom = disk.fill()
      // The log may still have room; then it is full.
      const rejections: string[] = []
      for (let index = 0; index < 200 && rejections.length < 3; index += 1) {
        const outcome = await visitor.send(`Too much ${index}. ${'x'.repeat(20_000)}`)
        if (outcome.kind === 'reading') await outcome.ended
        else rejections.push(outcome.kind === 'rejected' ? `${outcome.status} ${outcome.code}` : outcome.kind)
      }
      expect(rejections).toEqual(Array(3).fill('503 storage_full'))
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
  })
})

test.skipIf(isMissing('tmpfs') || isMissing('postgresql'))(
  'F20: PostgreSQL on a full disk takes no prompts, loses none, and takes them again once there is room',
  async () => {
    const disk = mountSmallDisk(3 * DISK_BYTES)
    const cluster = await startCluster({ parent: disk.path })
    const { url } = await createDatabase(cluster.url)
    const env = { DATABASE_URL: url, ...withConstants({ databaseTimeoutMs: 2_000 }) }
    const stage = await startStage({ database: 'sqlite', env })
    try {
      const visitor = await stage.visitor()
      const makeRoom = disk.fill()
      const taken: [string, Reading][] = []
      const refused: (number | string)[] = []
      visitor.isPatient = false
      for (let index = 0; index < 400 && refused.length < 3; index += 1) {
        const prompt = `Too much ${index}. ${randomBytes(10_000).toString('hex')}`
        const outcome = await visitor.send(prompt)
        if (outcome.kind !== 'reading') refused.push(outcome.kind === 'rejected' ? outcome.status : outcome.kind)
        else if (await outcome.begun.then(() => outcome.turn)) taken.push([prompt, outcome])
      }
      expect(refused).toEqual([503, 503, 503])
      expect((await fetch(`${stage.server.url}/healthz`)).status).toBe(200)
      makeRoom()
      // It may have ended itself, as it does when its log can't be written.
      await cluster.pause()
      await cluster.resume()
      visitor.isPatient = true
      await expectReading(await visitor.send('After there is room again.')).ended
      for (const [prompt, { session }] of taken)
        expect(spokenIn(expectBody(await visitor.session(session))).filter((line) => line === `human: ${prompt}`)).toHaveLength(1)
      expect(await sessionsWithGaps(stage.server)).toEqual([])
    } finally {
      await stage.stop()
      await cluster.stop()
      disk.remove()
    }
  },
)

function integrityOf(dataDirectory: string): unknown {
  const database = new DatabaseSync(join(dataDirectory, 'parley.db'), { readOnly: true, timeout: 5_000 })
  try {
    return Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0]
  } finally {
    database.close()
  }
}
