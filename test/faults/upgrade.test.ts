import { randomBytes } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeBundle } from '../../scripts/release/bundle.mjs'
import { npmCommand, ROOT } from '../../scripts/processes.mjs'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { UploadDetails } from '../../src/contract/staff/content/knowledge.ts'
import { cookieOf, listSessions, sendPrompt, spoken } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { createDatabase } from '../support/postgres.ts'
import { runSql } from '../support/run-sql.ts'
import { refusedStart, startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const DOCUMENT = '# Zeppelins\n\nA zeppelin ride costs 140 euros.\n'
const APPROVED = {
  question: 'How much is the dog tax?',
  matches: [],
  mustNotMatch: [],
  languages: ['en'],
  owner: 'Treasury',
  sourceTitle: 'Dog tax statute',
  sourceUrl: '',
  validFrom: '2026-01-01',
  validUntil: '9999-12-31',
  text: 'Dog tax is 96 euros a year.',
}

let place: string
let archive: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'parley-released-'))
  run('tar', ['-xzf', await releasedArchive(), '-C', place])
  archive = join(place, globSync('parley-*/', { cwd: place })[0] ?? '')
})
afterAll(() => rmSync(place, { recursive: true }))

/** The archive of the newest release's tag, or of this checkout as long as there is none. */
async function releasedArchive(): Promise<string> {
  const [tag] = spawnSync('git', ['tag', '--list', 'v*', '--sort=-v:refname'], { cwd: ROOT, encoding: 'utf8' }).stdout.split('\n')
  if (!tag) return writeBundle({ folder: place })
  const source = join(place, 'source')
  run('git', ['clone', '--quiet', '--branch', tag, ROOT, source])
  for (const args of [
    ['ci', '--ignore-scripts'],
    ['run', 'bundle'],
  ]) {
    const npm = npmCommand(process.execPath, args)
    run(npm.file, npm.args, source)
  }
  return globSync(join(source, 'dist/release/parley-*.tar.gz'))[0] ?? ''
}

function run(file: string, args: string[], cwd = place) {
  const { status, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr}`)
}

describe.each(DATABASES)('the data of the release on %s', (database) => {
  test('is all there after the upgrade, and after going back unless this needs a newer schema', async () => {
    const postgres = database === 'postgres' ? await createDatabase() : undefined
    const env = { ...WITH_CONSOLE, DATABASE_URL: postgres?.url, INSTALLATION_KEY: randomBytes(32).toString('hex') }
    const released = await startServer({ database: 'sqlite', env, archive })
    try {
      const owner = await staffOf(released)
      await owner.addPasskey()
      const editor = await owner.colleague('editor')
      const upload = await editor.call<UploadDetails>('POST', 'knowledge/uploads?name=zeppelins.md&owner=Treasury', Buffer.from(DOCUMENT))
      expect(await owner.call('POST', 'approved-answers', { id: 'dog-tax', content: APPROVED })).toMatchObject({ status: 200 })
      expect(await owner.call('POST', 'approved-answers/dog-tax/publication', { revision: 1 })).toMatchObject({ status: 200 })
      const first = await sendPrompt(released.url, 'me', 'How long are my chats kept?')
      const cookie = cookieOf(first)
      const before = (await listSessions(released.url, 'me', { cookie })).map(spoken)
      expect(before[0]).toHaveLength(2)

      const expectEverything = async (server: TestServer) => {
        expect((await listSessions(server.url, 'me', { cookie })).map(spoken)).toEqual(before)
        const reply = (await (await sendPrompt(server.url, 'another', APPROVED.question)).json()) as SendPromptReply
        expect(reply.response).toBe(APPROVED.text)
        // The console has another port after a restart, and is announced after the page is ready.
        await eventually(async () => {
          const returned = Object.assign(new StaffClient((await consoleOf(server)).origin), { cookie: editor.cookie })
          expect((await returned.call('GET', `knowledge/uploads/${upload.body.id}`)).body).toMatchObject({ text: DOCUMENT })
          returned.cookie = owner.cookie
          expect((await returned.call('GET', 'staff')).status).toBe(200)
        })
      }
      await expectEverything(released)
      const rehearsed = await runOperatorCommand(released.env, ['upgrade', '--rehearse'])
      expect(rehearsed, rehearsed.output).toMatchObject({ code: 0 })
      const mayGoBack = rehearsed.output.includes('The former release can use') || rehearsed.output.includes('no migration')

      expect(await released.kill()).toBe(0)
      const upgraded = await startServer({ database: 'sqlite', env: released.env })
      await expectEverything(upgraded)
      expect((await consoleOf(upgraded)).link).toBe('')
      expect((await runOperatorCommand(upgraded.env, ['status'])).output).toContain('0 pending')
      expect(await upgraded.kill()).toBe(0)
      const options = { database: 'sqlite' as const, env: released.env, archive }
      if (mayGoBack) {
        await released.restart()
        await expectEverything(released)
        await released.kill()
      } else await expectRefusal()

      // A later release, whose schema this one can't use.
      await runSql(released, "insert into kysely_migration (name, timestamp) values ('9999-later', '2027')")
      await runSql(released, "update installation_facts set value = '9999' where name = 'compatible_from'")
      await expectRefusal()

      async function expectRefusal() {
        const { code, output } = await refusedStart(options)
        expect({ code, output }).toEqual({
          code: 1,
          output: expect.stringContaining('The database belongs to a newer release of Parley: start release'),
        })
      }
    } finally {
      await released.stop()
      await postgres?.drop()
    }
  })
})

async function staffOf(server: TestServer): Promise<StaffClient> {
  const { origin, link } = await consoleOf(server)
  const owner = new StaffClient(origin)
  await owner.enter(link)
  return owner
}
