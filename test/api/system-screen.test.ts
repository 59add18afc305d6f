import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenSessionList } from '../../src/contract/staff/sessions.ts'
import type { InstallationStatus } from '../../src/contract/staff/status.ts'
import type { StaffList } from '../../src/contract/staff/people.ts'
import type { StaffSession } from '../../src/contract/staff/session.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const PATIENCE_MS = 60_000

describe.each(DATABASES)('the system and the sessions of staff on %s', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-system-'))
  let model: ScriptedModel
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    model = await startScriptedModel()
    const env = { MODEL: 'scripted', OPENAI_BASE_URL: model.baseUrl, BACKUP_PASSPHRASE: 'correct horse battery' }
    server = await startServer({ database, env: { ...env, ...WITH_CONSOLE } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    rmSync(folder, { recursive: true })
  })

  const system = async () => (await owner.call<InstallationStatus>('GET', 'status')).body.system

  test('when the last backup was made and rehearsed', async () => {
    expect((await system()).backup).toEqual({ lastAt: null, rehearsedAt: null })
    const file = join(folder, 'one.backup')
    for (const args of [
      ['backup', file],
      ['restore', '--rehearse', file],
    ]) {
      const { code, output } = await runOperatorCommand(server.env, args)
      expect(code, output).toBe(0)
    }
    const { lastAt, rehearsedAt } = (await system()).backup
    expect(Date.parse(rehearsedAt ?? '')).toBeGreaterThan(Date.parse(lastAt ?? ''))
    expect((await runOperatorCommand(server.env, ['status'])).output).toContain(`${lastAt}`)
  })

  test('how models answer, from turns alone, without what visitors and models wrote', async () => {
    const answer = async () => (await sendPrompt(server.url, 'me', 'cAnary-prompt')).status
    expect(await answer()).toBe(200)
    model.script(() => ({ status: 401, body: '{"error":{"message":"cAnary-model"}}' }))
    for (let index = 0; index < 3; index += 1) expect(await answer()).toBe(503)
    await eventually(async () => {
      const found = await system()
      expect(found.endpoints).toEqual([{ name: 'scripted', answered: 1, failed: 3, lastFailure: 'model_unavailable' }])
    }, PATIENCE_MS)
    const { body } = await owner.call<InstallationStatus>('GET', 'status')
    expect(body.attention).toContainEqual({
      screen: 'status',
      code: 'model',
      values: { name: 'scripted', failed: 3, total: 4 },
      text: 'The model scripted failed 3 of the last 4 times.',
    })
  })

  test('own sessions are listed without secrets, and end one by one', async () => {
    const editor = await owner.colleague('editor')
    await editor.addPasskey()
    const second = new StaffClient(owner.origin)
    Object.assign(second, { authenticator: editor.authenticator })
    expect(await second.signIn()).toMatchObject({ status: 200 })
    const { body: me } = await editor.call<StaffSession>('GET', 'session')
    const own = (await editor.call<OpenSessionList>('GET', 'sessions')).body.sessions
    expect(own.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect(own).toHaveLength(2)
    const others = own.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    const [ownersOwn] = (await owner.call<OpenSessionList>('GET', 'sessions')).body.sessions
    // Of somebody else.
    expect(await editor.call('DELETE', `sessions/${ownersOwn?.id}`)).toMatchObject({ status: 404 })
    expect(await editor.call('DELETE', `sessions/${others}`)).toMatchObject({ status: 200 })
    expect(await editor.call('DELETE', `sessions/${others}`)).toMatchObject({ status: 404 })
    expect(await second.call('GET', 'session')).toMatchObject({ status: 401 })
    expect(await editor.call('GET', 'session')).toMatchObject({ status: 200 })
    const { body: people } = await owner.call<StaffList>('GET', 'staff')
    expect(people.staff.find(({ id }) => id === me.id)?.sessions).toBe(1)
    const { body: log } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit?area=staff')
    expect(log.entries[0]?.action).toBe('staff.end-session')
  })
})
