import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { ErasureReply } from '../../src/contract/rights.ts'
import type { UploadDetails } from '../../src/contract/staff/content/knowledge.ts'
import { cookieOf, listSessions, readEvents, sendPrompt, spoken, streamPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { createDatabase } from '../support/postgres.ts'
import { sampleSize } from '../support/sample-size.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { isStored } from '../support/stored-text.ts'

const CHECK_RECEIPT = join(import.meta.dirname, '../../scripts/check-receipt.mjs')
const PASSPHRASE = 'four words of a sentence'
const STREAMS = sampleSize({ long: 20, short: 3 })
const BACKUPS = sampleSize({ long: 12, short: 2 })
const run = promisify(execFile)

describe.each(DATABASES)('backups on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-backups-'))
    model = await startScriptedModel()
    model.script((request) => (request.prompt.startsWith('slow') ? [{ endless: 'word ', tokensPerSecond: 50 }] : undefined))
    const env = { ...WITH_CONSOLE, OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', BACKUP_PASSPHRASE: PASSPHRASE }
    server = await startServer({ database, env })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    rmSync(folder, { recursive: true })
  })

  async function visitor(prompt: string): Promise<{ cookie: string; session: string }> {
    const response = await sendPrompt(server.url, 'me', prompt)
    const { session_id: session } = (await response.json()) as SendPromptReply
    return { cookie: cookieOf(response), session }
  }

  /** A visitor whose answer is being written. */
  async function streaming(prompt: string): Promise<{ cookie: string; read: Promise<unknown> }> {
    const response = await streamPrompt(server.url, 'me', prompt)
    const events = readEvents(response)
    let chunk = (await events.next()).value?.chunk
    while (chunk?.type !== 'text-delta') chunk = (await events.next()).value?.chunk
    return { cookie: cookieOf(response), read: Array.fromAsync(events).catch(() => undefined) }
  }

  const promptsOf = async (cookie: string) => (await listSessions(server.url, 'me', { cookie })).map((session) => spoken(session)[0]?.[1])

  async function erase(path: string, cookie: string): Promise<ErasureReply> {
    return ErasureReply.parse(await (await fetch(server.url + path, { method: 'DELETE', headers: { cookie } })).json())
  }

  const operate = (args: string[], env: Record<string, string> = {}) => runOperatorCommand({ ...server.env, ...env }, args)
  const succeed = async (args: string[], env?: Record<string, string>) => {
    const { code, output } = await operate(args, env)
    expect(code, output).toBe(0)
    return output
  }
  const backupFile = (name: string) => join(folder, name)

  test('each backup under load keeps what was acknowledged before it, and its restore after kill -9 keeps deletions', async () => {
    const streams = await Promise.all(Array.from({ length: STREAMS }, (_, index) => streaming(`slow ${index}`)))
    const deletedLast = await visitor('cAnAry-erased-last')
    const kept: string[] = []
    const receipts: ErasureReply[] = []
    for (let round = 0; round < BACKUPS; round += 1) {
      kept.push((await visitor(`kept ${round}`)).cookie)
      const [oneChat, everything] = [await visitor('cAnAry-erased-chat'), await visitor('cAnAry-erased-visitor')]
      // Deletions while the backup is made.
      const [output, ...replies] = await Promise.all([
        succeed(['backup', backupFile(`round-${round}`)]),
        erase(`/api/v1/sessions/${oneChat.session}`, oneChat.cookie),
        erase('/api/v1/me', everything.cookie),
      ])
      expect(output).toContain('sealed by the passphrase')
      expect(statSync(backupFile(`round-${round}`)).mode & 0o777).toBe(0o600)
      receipts.push(...replies)
    }
    receipts.push(await erase('/api/v1/me', deletedLast.cookie))
    await server.kill('SIGKILL')
    await Promise.all(streams.map(({ read }) => read))

    for (let round = 0; round < BACKUPS; round += 1) {
      expect(await succeed(['restore', backupFile(`round-${round}`), '--replace'])).toContain('Deleted again')
      expect(await isStored(server, 'cAnAry-erased'), `after the restore of ${round}`).toBe(false)
      await server.restart()
      const prompts = await Promise.all(kept.map(promptsOf))
      expect(prompts).toEqual(kept.map((_, index) => (index <= round ? [`kept ${index}`] : [])))
      for (const [index, { cookie }] of streams.entries()) expect(await promptsOf(cookie)).toEqual([`slow ${index}`])
      expect(await promptsOf(deletedLast.cookie)).toEqual([])
      // The log of each restored state says why entries are missing.
      expect(await succeed(['staff', 'audit', '--verify'])).toContain('The audit log is intact')
      await server.kill('SIGKILL')
      expect(await isStored(server, 'cAnAry-erased'), `after the start on ${round}`).toBe(false)
    }
    await server.restart()
    for (const receipt of receipts) {
      writeFileSync(backupFile('receipt.json'), JSON.stringify(receipt))
      const { stdout } = await run(process.execPath, [CHECK_RECEIPT, backupFile('receipt.json'), server.url])
      expect(stdout).toContain('The signature is valid.')
    }
  })

  test('restores an installation with its key into an empty place', async () => {
    const mine = await visitor('moved to another machine')
    const found = await consoleOf(server)
    const owner = new StaffClient(found.origin)
    await owner.enter(found.link)
    const editor = await owner.colleague('editor')
    const document = '# Zeppelins\n\nA zeppelin ride costs 140 euros.\n'
    const uploaded = await editor.call<UploadDetails>('POST', 'knowledge/uploads?name=zeppelins.md&owner=Treasury', Buffer.from(document))
    expect(uploaded).toMatchObject({ status: 200 })
    await succeed(['backup', backupFile('moved')])
    const directory = mkdtempSync(join(tmpdir(), 'parley-moved-'))
    const other = database === 'postgres' ? await createDatabase() : undefined
    const env = { DATA_DIR: directory, ...(other && { DATABASE_URL: other.url }) }
    try {
      expect((await operate(['restore', backupFile('moved')], { ...env, BACKUP_PASSPHRASE: 'another passphrase' })).output).toContain(
        'The passphrase is not the one',
      )
      expect(await succeed(['restore', backupFile('moved')], env)).toContain('There is no ledger of erasures')
      expect(readFileSync(join(directory, 'installation.key'), 'utf8')).toBe(
        readFileSync(join(server.dataDirectory, 'installation.key'), 'utf8'),
      )
      const keyFile = join(directory, 'installation.key')
      const key = readFileSync(keyFile, 'utf8')
      writeFileSync(keyFile, `${'0123456789abcdef'.repeat(2)}\n`)
      expect(await succeed(['restore', backupFile('moved'), '--key-only'], env)).toContain('Restored the installation key')
      expect(readFileSync(keyFile, 'utf8')).toBe(key)
      const moved = await startServer({ database: 'sqlite', env: { ...server.env, ...env, PORT: '0' } })
      try {
        const [session] = await listSessions(moved.url, 'me', { cookie: mine.cookie })
        expect(spoken(session)[0]).toEqual(['human', 'moved to another machine'])
        const returned = new StaffClient((await consoleOf(moved)).origin)
        returned.cookie = editor.cookie
        expect((await returned.call('GET', `knowledge/uploads/${uploaded.body.id}`)).body).toMatchObject({
          owner: 'Treasury',
          text: document,
        })
      } finally {
        await moved.stop()
      }
    } finally {
      await other?.drop()
      rmSync(directory, { recursive: true, force: true })
    }
  })

  test('refuses to restore under a running server, over data, a damaged file and a foreign key', async () => {
    await succeed(['backup', backupFile('refused')])
    expect(await operate(['restore', backupFile('refused'), '--replace'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('stop') as string,
    })
    await server.kill()
    expect((await operate(['restore', backupFile('refused')])).output).toContain('--replace')
    const bytes = readFileSync(backupFile('refused'))
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(backupFile('damaged'), bytes)
    expect((await operate(['restore', backupFile('damaged'), '--replace'])).output).toContain('checksum is wrong')
    writeFileSync(backupFile('other'), 'not a backup\n')
    expect((await operate(['restore', backupFile('other'), '--replace'])).output).toContain('is not a backup')
    const foreign = { INSTALLATION_KEY: '3f9c1e7a5b2d8064c7e1a9f3b5d70826' }
    expect((await operate(['restore', backupFile('refused'), '--replace'], foreign)).output).toContain('INSTALLATION_KEY is not the key')
    await server.restart()
  })

  test('a rehearsal checks the backup while the server runs, and leaves nothing', async () => {
    await visitor('rehearsed')
    await succeed(['backup', backupFile('rehearsed')])
    const before = readdirSync(server.dataDirectory).toSorted()
    const output = await succeed(['restore', '--rehearse', backupFile('rehearsed')])
    expect(output).toContain('its numbers of rows are right')
    expect(output).toContain('Nothing is left')
    expect(readdirSync(server.dataDirectory).toSorted()).toEqual(before)
    expect((await visitor('still runs')).session).toBeTruthy()
  })

  test('keeps the newest backups of a folder, and no other file', async () => {
    const kept = backupFile('rotated')
    await succeed(['backup', '--to', kept, '--keep', '2', '--without-key'])
    const [first = ''] = readdirSync(kept)
    for (const name of ['parley-2026-01-01T00-00-00Z.backup', 'parley-2026-01-02T00-00-00Z.backup', 'notes.txt'])
      copyFileSync(join(kept, first), join(kept, name))
    const output = await succeed(['backup', '--to', kept, '--keep', '2', '--without-key'])
    expect(output).toContain('The installation key is not in the backup')
    const left = readdirSync(kept)
    expect(left).toContain('notes.txt')
    expect(left).not.toContain('parley-2026-01-01T00-00-00Z.backup')
    expect(left.filter((name) => name.endsWith('.backup'))).toHaveLength(2)
  })
})
