import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LimitInForce, LimitList } from '../../src/contract/staff/limits.ts'
import type { StaffSession } from '../../src/contract/staff/session.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient } from '../support/staff-client.ts'

/** Prompts may take seconds on a busy machine. */
const PATIENCE_MS = 60_000

const codeOf = async (response: Response) => (response.status === 200 ? 'taken' : ((await response.json()) as { code: string }).code)

describe.each(DATABASES)('limits at run time on %s', (database) => {
  let model: ScriptedModel
  let near: TestServer
  /** Another process of the installation where there can be one. */
  let far: TestServer
  let owner: StaffClient
  let editor: StaffClient
  let ledger: string
  beforeAll(async () => {
    model = await startScriptedModel()
    ledger = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
    const env = {
      MODEL: 'scripted',
      OPENAI_BASE_URL: model.baseUrl,
      PRICES: 'scripted=1/1',
      BUDGET_PER_DAY: '100',
      LIMIT_PROMPTS_PER_DAY: '50',
      ERASURE_LEDGER: ledger,
      INSTALLATION_KEY: randomBytes(32).toString('hex'),
    }
    near = await startServer({ database, env: { ...env, CONSOLE_PORT: String(await freePort()) } })
    far =
      database === 'postgres' ? await startServer({ database: 'sqlite', env: { ...env, DATABASE_URL: near.env['DATABASE_URL'] } }) : near
    const { origin, link } = await consoleOf(near)
    owner = new StaffClient(origin)
    await owner.enter(link)
    editor = await owner.colleague('editor')
  })
  afterAll(async () => {
    await Promise.all([near.stop(), far.stop()])
    await model.close()
    rmSync(ledger, { recursive: true })
  })

  const limit = async (name: string) => {
    const { body } = await owner.call<LimitList>('GET', 'limits')
    return body.limits.find((one) => one.name === name) as LimitInForce
  }
  const change = (client: StaffClient, path: string, value: number, replaces: number) =>
    client.call<{ code?: string } & Partial<LimitInForce>>('POST', path, { value, replaces })

  test('say where their value comes from, and what staff can set them to', async () => {
    expect(await limit('promptsPerDay')).toMatchObject({ value: 50, source: 'environment', range: { min: 1, max: 100 }, kind: 'quota' })
    expect(await limit('promptsPerMinute')).toMatchObject({ kind: 'quota', setting: 'LIMIT_PROMPTS_PER_MINUTE' })
    expect(await limit('networkTokensPerDay')).toMatchObject({ source: 'environment' })
    expect(await limit('allRunningTurns')).toMatchObject({ value: 200, source: 'default', used: 0 })
    expect(await limit('networkConnections')).toBeUndefined()
    expect(await limit('moneyPerDay')).toMatchObject({ value: 100, kind: 'budget', unit: 'money', range: { min: 0, max: 100 } })
    expect(await limit('moneyPerMonth')).toMatchObject({ value: null, range: null })
    expect(await limit('tokensPerDay')).toMatchObject({ kind: 'budget', range: { min: 1, max: 100_000_000 } })
  })

  test('a lowered quota holds in every process, is raised as far as the environment allows, and goes back', async () => {
    expect(await change(editor, 'limits/promptsPerDay', 1, 50)).toMatchObject({ status: 200, body: { value: 1, source: 'console' } })
    const visitor = '0d5f7a51-9f0c-4b5e-8f36-1c1a3f7d2e10'
    await eventually(async () => {
      const codes = [await codeOf(await sendPrompt(far.url, visitor, 'hi')), await codeOf(await sendPrompt(far.url, visitor, 'hi'))]
      expect(codes.at(-1)).toBe('daily_prompts_used')
    }, PATIENCE_MS)
    expect(await change(editor, 'limits/promptsPerDay', 100, 1)).toMatchObject({ status: 200 })
    await eventually(async () => expect(await codeOf(await sendPrompt(far.url, visitor, 'hi'))).toBe('taken'), PATIENCE_MS)
    for (const value of [101, 0, 1.5]) {
      const { status, body } = await change(editor, 'limits/promptsPerDay', value, 100)
      expect({ value, status, code: body.code }).toEqual({ value, status: 422, code: 'limit_out_of_range' })
    }
    expect(await editor.call('DELETE', 'limits/promptsPerDay')).toMatchObject({ status: 200, body: { value: 50, source: 'environment' } })
    expect(await limit('promptsPerDay')).toMatchObject({ value: 50, changedAt: null })
  })

  test('a lowered budget holds in every process with the next prompt, and only owners change it', async () => {
    expect(await change(editor, 'budgets/moneyPerDay', 0, 100)).toMatchObject({ status: 403 })
    expect(await change(editor, 'limits/moneyPerDay', 0, 100)).toMatchObject({ status: 404 })
    expect(await change(owner, 'budgets/moneyPerDay', 100.01, 100)).toMatchObject({ status: 422 })
    expect(await change(owner, 'budgets/moneyPerMonth', 1, 0)).toMatchObject({ status: 422 })
    expect(await change(owner, 'budgets/moneyPerDay', 0, 100)).toMatchObject({ status: 200 })
    // At once, without waiting for the process to hear of it.
    expect(await codeOf(await sendPrompt(far.url, 'me', 'hi'))).toBe('budget_exhausted')
    const { output } = await runOperatorCommand(near.env, ['status'])
    expect(output).toMatch(/Budget per day\s+\d+\.\d\d of 0 used/)
    expect(await owner.call('DELETE', 'budgets/moneyPerDay')).toMatchObject({ status: 200, body: { value: 100 } })
    await eventually(async () => expect(await codeOf(await sendPrompt(far.url, 'me', 'hi'))).toBe('taken'), PATIENCE_MS)
  })

  test('of two changes that were decided on the same value, the second is told', async () => {
    const replies = await Promise.all([change(owner, 'limits/streams', 7, 100_000_000), change(editor, 'limits/streams', 8, 100_000_000)])
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('changed_meanwhile')
  })

  test('filters the audit log by area and person, and exports what is filtered', async () => {
    const colleague = await owner.colleague('editor')
    const { body: me } = await colleague.call<StaffSession>('GET', 'session')
    await colleague.call('POST', 'banner', { text: 'Closed' })
    await colleague.call('POST', 'stops', { scope: 'file', target: 'c.md', reason: 'test' })
    const actionsOf = async (query: string) => {
      const { body } = await owner.call<{ entries: { action: string }[] }>('GET', `audit?${query}`)
      return body.entries.map(({ action }) => action)
    }
    expect(await actionsOf(`actor=${me.id}`)).toEqual(['stop.start', 'banner.show', 'staff.join'])
    expect(await actionsOf(`area=banner&actor=${me.id}`)).toEqual(['banner.show'])
    expect((await actionsOf('area=stop')).every((action) => action.startsWith('stop.'))).toBe(true)
    expect(await actionsOf('area=sto')).toEqual([])
    const { body: csv, headers } = await owner.call<string>('GET', `audit.csv?actor=${me.id}`)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/)
    expect(csv.split('\r\n')).toHaveLength(5)
    expect(csv).toMatch(/^number,at,actor,actorName,action,target\r\n\d+,[^,]+,[0-9a-f]{16},editor [0-9a-f-]{36},stop\.start,/)
    for (const query of ['area=%25', 'area=a.b', 'actor=ada', 'after=1'])
      expect(await owner.call('GET', `audit?${query}`)).toMatchObject({ status: 400 })
  })

  test('an embed whose visitors have used up its prompts of the day stops in every process; the other embed and the page go on', async () => {
    for (const [name, promptsPerDay] of Object.entries({ library: 2, museum: 4 })) {
      const embed = { origins: [`https://${name}.example.org`], promptsPerDay }
      expect((await owner.call('POST', `embeds/${name}`, { embed, basedOn: 0 })).status).toBe(200)
    }
    const send = async (server: TestServer, embedded: string) => {
      const headers = { embedded, 'embedding-site': `https://${embedded}.example.org` }
      return sendPrompt(server.url, randomUUID(), 'hi', { headers })
    }
    // Each process knows the embeds within a second.
    await eventually(
      async () => expect(await (await fetch(`${far.url}/embed-settings.js?embed=museum`)).text()).toContain('isListed'),
      PATIENCE_MS,
    )
    expect([await codeOf(await send(near, 'library')), await codeOf(await send(far, 'library'))]).toEqual(['taken', 'taken'])
    for (const server of [near, far]) {
      const refused = await send(server, 'library')
      expect(await refused.json()).toMatchObject({
        status: 429,
        code: 'embed_prompts_used',
        title: expect.stringContaining('on this site'),
      })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(refused.headers.get('ratelimit') ?? '').not.toContain('r=0')
      expect(await codeOf(await send(server, 'museum'))).toBe('taken')
      expect(await codeOf(await sendPrompt(server.url, randomUUID(), 'hi'))).toBe('taken')
    }
    expect(await owner.call('POST', 'embeds/zoo', { embed: { promptsPerDay: 0 }, basedOn: 0 })).toMatchObject({ status: 400 })
  })

  test('a change outlives a restart, and is in the audit log', async () => {
    const before = await limit('streams')
    await near.restart()
    expect(await limit('streams')).toEqual(before)
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    const actions = body.entries.map(({ action }) => action).filter((action) => action.startsWith('limit.'))
    expect(actions.slice(0, 2)).toEqual(['limit.change', 'limit.restore'])
    expect(await owner.call('GET', 'audit/check')).toMatchObject({ body: { isIntact: true } })
  })
})
