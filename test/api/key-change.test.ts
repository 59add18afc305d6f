import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErasureReply } from '../../src/contract/rights.ts'
import type { SignInBegun } from '../../src/contract/sign-in.ts'
import type { StaffSession } from '../../src/contract/staff/session.ts'
import type { CreatedWebhook } from '../../src/contract/staff/webhooks.ts'
import { webhookSecret } from '../../src/server/webhooks/signature.ts'
import { cookieOf, listSessions, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { answerOf } from '../support/device.ts'
import { CLIENT, startOidcServer } from '../support/oidc-server.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const CHECK_RECEIPT = join(import.meta.dirname, '../../scripts/check-receipt.mjs')
const KEYS = Array.from({ length: 3 }, () => randomBytes(32).toString('base64url')) as [string, string, string]
const FOREIGN = randomBytes(32).toString('base64url')
const ID = crypto.randomUUID()
const run = promisify(execFile)

describe.each(DATABASES)('a changed installation key on %s', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-keys-'))
  let oidc: Awaited<ReturnType<typeof startOidcServer>>
  let model: ScriptedModel
  let server: TestServer
  let client: StaffClient
  const receipts: ErasureReply[] = []
  const webhooks: CreatedWebhook[] = []

  beforeAll(async () => {
    oidc = await startOidcServer()
    oidc.roles.set('ada', ['chat-admins'])
    model = await startScriptedModel()
    server = await startServer({
      database,
      env: {
        ...WITH_CONSOLE,
        CONSOLE_PRIVATE_HOSTS: '127.0.0.1',
        CLIENT_IDS: 'strong',
        INSTALLATION_KEY: KEYS[0],
        BACKUP_PASSPHRASE: 'four words of a sentence',
        STAFF_OIDC_ISSUER: oidc.issuer,
        STAFF_OIDC_CLIENT_ID: CLIENT.id,
        STAFF_OIDC_CLIENT_SECRET: CLIENT.secret,
        STAFF_OIDC_ROLES: 'chat-admins=owner',
      },
    })
  })
  afterAll(async () => {
    await server.stop()
    await Promise.all([oidc.close(), model.close()])
    rmSync(folder, { recursive: true })
  })

  const operate = (args: string[], env: Record<string, string> = {}) => runOperatorCommand({ ...server.env, ...env }, args)
  const startWith = async (key: string, previous?: string) => {
    server.env['INSTALLATION_KEY'] = key
    if (previous === undefined) delete server.env['INSTALLATION_KEY_PREVIOUS']
    else server.env['INSTALLATION_KEY_PREVIOUS'] = previous
    await server.restart()
  }

  /** Signs Ada in with the provider, and returns who she is here. */
  async function signIn(): Promise<string> {
    const { origin } = await consoleOf(server)
    oidc.register(origin, { redirect_uris: [`${origin}/`] })
    client = new StaffClient(origin)
    const { address } = (await client.call<SignInBegun>('POST', 'session/provider', {})).body
    const answered = await client.call<StaffSession>('POST', 'session/provider/answer', answerOf(await oidc.signIn(address, 'ada')))
    expect(answered.status).toBe(200)
    return answered.body.id
  }

  async function receive(): Promise<void> {
    const cookie = cookieOf(await sendPrompt(server.url, 'me', 'Delete me'))
    receipts.push(ErasureReply.parse(await (await fetch(`${server.url}/api/v1/me`, { method: 'DELETE', headers: { cookie } })).json()))
  }

  async function createWebhook(): Promise<void> {
    const url = `http://127.0.0.1:9/${webhooks.length}`
    webhooks.push((await client.call<CreatedWebhook>('POST', 'webhooks', { url, events: ['backup.failed'] })).body)
  }

  async function expectEverything(chats: number): Promise<void> {
    expect(await listSessions(server.url, ID)).toHaveLength(chats)
    for (const receipt of receipts) {
      writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt))
      expect((await run(process.execPath, [CHECK_RECEIPT, join(folder, 'receipt.json'), server.url])).stdout).toContain('is valid')
    }
    expect(await operate(['staff', 'audit', '--verify'])).toMatchObject({ code: 0 })
  }

  test('twice: all that was stored stays, and what is made from now on uses the new key', async () => {
    const ada = await signIn()
    await sendPrompt(server.url, ID, 'Under the first key')
    await receive()
    await createWebhook()
    expect(webhooks[0]?.secret).toBe(webhookSecret(KEYS[0], webhooks[0]?.id ?? ''))
    expect(await operate(['backup', join(folder, 'old')])).toMatchObject({ code: 0 })

    for (const [index, key] of KEYS.entries()) {
      if (index === 0) continue
      await startWith(key, KEYS[index - 1])
      await sendPrompt(server.url, ID, `Under key ${index}`)
      expect(await signIn()).toBe(ada)
      await receive()
      await createWebhook()
      expect(webhooks[index]?.secret).toBe(webhookSecret(key, webhooks[index]?.id ?? ''))
      await expectEverything(index + 1)
      expect((await operate(['status'])).output).toMatch(/INSTALLATION_KEY_PREVIOUS is not needed any more/)
    }
    const kids = receipts.map(
      ({ jws }) => (JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid,
    )
    expect(new Set(kids).size).toBe(KEYS.length)
    // Without the setting, from what the database keeps.
    await startWith(KEYS[2])
    await expectEverything(KEYS.length)
    expect((await operate(['status'])).output).toMatch(/Former keys +2, for chats under client ids \(3\).* webhooks \(2\)/)
  })

  test('stops the start, and names the setting, if it does not open the former keys', async () => {
    for (const [key, previous] of [
      [FOREIGN, undefined],
      [FOREIGN, KEYS[1]],
      [KEYS[0], undefined],
    ] as const)
      await expect(startWith(key, previous)).rejects.toThrow(
        /sealed under another key than INSTALLATION_KEY .* set INSTALLATION_KEY_PREVIOUS/,
      )
    await startWith(KEYS[2])
    await expectEverything(KEYS.length)
  })

  test('restores a backup from before, which says which key it needs', async () => {
    await server.kill()
    const refused = await operate(['restore', join(folder, 'old'), '--replace'])
    expect(refused.output).toContain('INSTALLATION_KEY is not the key of the backup: set INSTALLATION_KEY_PREVIOUS to that key')
    const restored = await operate(['restore', join(folder, 'old'), '--replace'], { INSTALLATION_KEY_PREVIOUS: KEYS[0] })
    expect(restored, restored.output).toMatchObject({ code: 0, output: expect.stringContaining('Deleted again') as string })
    await startWith(KEYS[2], KEYS[0])
    expect(await listSessions(server.url, ID)).toHaveLength(1)
    expect(await operate(['staff', 'audit', '--verify'])).toMatchObject({ code: 0 })
  })
})
