import { randomBytes } from 'node:crypto'
import { writeFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { AgentList, AgentView } from '../../src/contract/staff/content/agents.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { createDatabase } from '../support/postgres.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const textOf = (greeting: string, name = 'Pool') =>
  `---\nname: ${name}\ngreeting: ${greeting}\npolicy:\n  languages:\n  routes:\n    - id: hours\n      keywords: [opening hours]\n      reply: ${greeting} Nine to five.\n---\nAnswer.\n`

const config = async ({ url }: TestServer) => (await (await fetch(`${url}/api/v1/config`)).json()) as PublicConfiguration
const greetingOf = async (server: TestServer, id: string) => (await config(server)).agents.find((agent) => agent.id === id)?.greeting

async function ownerOf(server: TestServer): Promise<StaffClient> {
  const { origin, link } = await consoleOf(server)
  const owner = new StaffClient(origin)
  await owner.enter(link)
  return owner
}

describe.each(DATABASES)('managed agents on %s', (database) => {
  let folder: string
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-managed-'))
    mkdirSync(join(folder, 'agents'))
    writeFileSync(join(folder, 'agents', 'default.md'), '---\nname: Default\ngreeting: Hello\n---\n\nAnswer.\n')
    server = await startServer({ database, env: { ...WITH_CONSOLE, AGENTS_DIR: join(folder, 'agents') } })
    owner = await ownerOf(server)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const view = async (id: string) => (await owner.call<AgentView>('GET', `agents/${id}`)).body
  const list = async () => (await owner.call<AgentList>('GET', 'agents')).body
  const create = (id: string, text: string) => owner.call('POST', 'agents', { id, text })
  const save = (id: string, text: string, basedOn: number) => owner.call('POST', `agents/${id}/draft`, { text, basedOn })
  const publish = (id: string, revision: number) => owner.call<{ number: number }>('POST', `agents/${id}/publication`, { revision })

  test('are in force from their publication on, until they are withdrawn, and can be rolled back', async () => {
    expect(await create('pool', textOf('Hi'))).toMatchObject({ status: 200 })
    expect(await greetingOf(server, 'pool')).toBeUndefined()
    expect(await publish('pool', 1)).toMatchObject({ status: 200, body: { number: 1 } })
    await eventually(async () => expect(await greetingOf(server, 'pool')).toBe('Hi'))
    const ask = async () => (await (await sendPrompt(server.url, 'pool', 'What are your opening hours?')).json()) as { response: string }
    expect((await ask()).response).toContain('Hi Nine to five.')

    expect(await save('pool', textOf('Good day'), 1)).toMatchObject({ status: 200 })
    expect(await greetingOf(server, 'pool')).toBe('Hi')
    expect(await list()).toMatchObject({ managed: [{ id: 'pool', isInForce: true, published: 1, hasChanges: true, problems: 0 }] })
    expect(await publish('pool', 2)).toMatchObject({ status: 200, body: { number: 2 } })
    await eventually(async () => expect(await greetingOf(server, 'pool')).toBe('Good day'))
    expect((await ask()).response).toContain('Good day')

    expect(await owner.call('POST', 'agents/pool/roll-back', { number: 1 })).toMatchObject({ status: 200, body: { number: 3 } })
    await eventually(async () => expect(await greetingOf(server, 'pool')).toBe('Hi'))
    const { managed } = await view('pool')
    expect(managed).toMatchObject({ published: 3, draft: { text: textOf('Good day'), revision: 2, by: 'First owner' } })
    expect(managed?.publications.map(({ number, restores, by }) => ({ number, restores, by }))).toEqual([
      { number: 3, restores: 1, by: 'First owner' },
      { number: 2, restores: null, by: 'First owner' },
      { number: 1, restores: null, by: 'First owner' },
    ])
    expect(managed?.publications[0]?.hash).toBe(managed?.publications[2]?.hash)

    expect(await owner.call('DELETE', 'agents/pool')).toMatchObject({ status: 409, body: { code: 'agent_in_force' } })
    expect(await owner.call('DELETE', 'agents/pool/publication')).toMatchObject({ status: 200 })
    await eventually(async () => expect(await greetingOf(server, 'pool')).toBeUndefined())
    expect(await owner.call('DELETE', 'agents/pool')).toMatchObject({ status: 200 })
    expect(await owner.call('GET', 'agents/pool')).toMatchObject({ status: 404 })
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    const actions = body.entries.map(({ action }) => action).filter((action) => action.startsWith('agent.'))
    expect(actions).toEqual([
      'agent.delete',
      'agent.withdraw',
      'agent.roll-back',
      'agent.publish',
      'agent.save-draft',
      'agent.publish',
      'agent.create',
    ])
  })

  test('lose no text when two editors save the same draft, nor publish what nobody has seen', async () => {
    await create('twice', textOf('One'))
    const replies = await Promise.all([save('twice', textOf('Two'), 1), save('twice', textOf('Three'), 1)])
    expect(replies.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
    expect(replies.find(({ status }) => status === 409)).toMatchObject({ body: { code: 'changed_meanwhile' } })
    const won = textOf(replies[0]?.status === 200 ? 'Two' : 'Three')
    expect(await view('twice')).toMatchObject({ managed: { draft: { text: won, revision: 2 } } })
    expect(await publish('twice', 1)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect(await publish('twice', 2)).toMatchObject({ status: 200 })
  })

  test('with mistakes are saved with their problems, and not published', async () => {
    await create('wrong', '---\ngreetings: Hi\ntools: [hammer]\n---\nAnswer.\n')
    const problems = [
      { key: 'name', line: expect.any(Number), message: expect.any(String) },
      { key: 'greetings', line: 2, message: 'greetings is no key of an agent' },
    ]
    expect((await view('wrong')).managed?.draft.mistakes).toEqual(expect.arrayContaining(problems))
    expect(await publish('wrong', 1)).toMatchObject({ status: 409, body: { code: 'agent_mistaken' } })
    const check = (text: string) => owner.call<{ mistakes: object[] }>('POST', 'agents/wrong/check', { text })
    expect((await check(textOf('Hi'))).body).toEqual({ mistakes: [] })
    expect((await check(textOf('Hi').replace('---\n', '---\nid: other\n'))).body.mistakes).toMatchObject([{ key: 'id' }])
    expect((await check('no front matter')).body.mistakes).toHaveLength(1)
  })

  test('answer instead of the file with the same id from their publication until they are withdrawn', async () => {
    await create('default', textOf('Managed'))
    expect(await greetingOf(server, 'default')).toBe('Hello')
    await publish('default', 1)
    expect(await view('default')).toMatchObject({ file: { name: 'default.md' }, managed: { published: 1 } })
    const states = async () => {
      const { files, managed } = await list()
      return [files, managed].map((agents) => agents.find(({ id }) => id === 'default')?.isInForce)
    }
    expect(await states()).toEqual([false, true])
    await eventually(async () => expect(await greetingOf(server, 'default')).toBe('Managed'))
    await owner.call('DELETE', 'agents/default/publication')
    await eventually(async () => expect(await greetingOf(server, 'default')).toBe('Hello'))
    expect(await states()).toEqual([true, false])
  })

  test('survive a restart', async () => {
    await create('stays', textOf('Still here'))
    await publish('stays', 1)
    await server.restart()
    owner.cookie = null
    expect(await greetingOf(server, 'stays')).toBe('Still here')
  })
})

test('a publication is in force on every process within about a second, without Redis', async () => {
  const shared = await createDatabase()
  const ledger = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
  const env = { ERASURE_LEDGER: ledger, DATABASE_URL: shared.url, INSTALLATION_KEY: randomBytes(32).toString('hex') }
  const [near, far] = await Promise.all([
    startServer({ database: 'sqlite', env: { ...env, ...WITH_CONSOLE } }),
    startServer({ database: 'sqlite', env }),
  ])
  try {
    const owner = await ownerOf(near)
    await owner.call('POST', 'agents', { id: 'everywhere', text: textOf('One') })
    await owner.call('POST', 'agents/everywhere/publication', { revision: 1 })
    await eventually(async () => expect(await greetingOf(far, 'everywhere')).toBe('One'))
    expect(await (await sendPrompt(far.url, 'everywhere', 'What are your opening hours?')).json()).toMatchObject({
      response: expect.stringContaining('One'),
    })
    await owner.call('DELETE', 'agents/everywhere/publication')
    await eventually(async () => expect(await greetingOf(far, 'everywhere')).toBeUndefined())
  } finally {
    await Promise.all([near.stop(), far.stop()])
    await shared.drop()
    rmSync(ledger, { recursive: true })
  }
})
