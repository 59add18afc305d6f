import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { AgentView } from '../../src/contract/staff/content/agents.ts'
import type { KnowledgeView } from '../../src/contract/staff/content/knowledge.ts'
import { storedRows } from '../faults/kit/stored-rows.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const POOL = '---\nname: Pool\ngreeting: Hi\nknowledge: [.]\n---\nAnswer.\n'
const CASES = '- prompt: When do you open?\n  contains: nine\n'
const DOCUMENT = { owner: 'Baths', title: null, language: null, validUntil: null }
const FEE = {
  question: 'What does the pool cost?',
  matches: ['Price of the pool'],
  mustNotMatch: [],
  languages: ['en'],
  owner: 'Baths',
  sourceTitle: 'Fees',
  sourceUrl: 'https://example.org/fees',
  validFrom: '2020-01-01',
  validUntil: '2999-12-31',
  text: 'Four euros.',
}

describe.each(DATABASES)('the configuration on %s', (database) => {
  const place = mkdtempSync(join(tmpdir(), 'parley-config-'))
  const folder = join(place, 'config')
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: WITH_CONSOLE })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    await owner.call('POST', 'agents', { id: 'pool', text: POOL })
    await owner.call('POST', 'agents/pool/publication', { revision: 1 })
    await owner.call('POST', 'agents/pool/cases', { text: CASES, basedOn: 0 })
    await owner.call('POST', 'agents', { id: 'draft', text: POOL })
    await owner.call('POST', 'embeds/baths', { embed: { label: 'Ask the baths', color: '#7a2048' }, basedOn: 0 })
    await owner.call('POST', 'approved-answers', { id: 'fee', content: FEE })
    await owner.call('POST', 'approved-answers/fee/publication', { revision: 1 })
    const facts = new URLSearchParams({ name: 'opening.md', owner: 'Baths', validUntil: '2999-12-31' }).toString()
    await owner.call('POST', `knowledge/uploads?${facts}`, Buffer.from('# Opening hours\n\nNine to five.\n'))
  })
  afterAll(async () => {
    await server.stop()
    rmSync(place, { recursive: true })
  })

  const command = (...args: string[]) => runOperatorCommand(server.env, args)
  const agentPrompt = async (id: string) => (await command('agent', 'prompt', id)).output
  const managed = async (id: string) => (await owner.call<AgentView>('GET', `agents/${id}`)).body.managed
  const file = (path: string) => readFileSync(join(folder, path), 'utf8')
  const embedSettings = async () => (await fetch(`${server.url}/embed-settings.js?embed=baths`)).text()
  const greeting = async (id: string) =>
    ((await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration).agents.find((agent) => agent.id === id)?.greeting

  test('is exported as files that the server reads, and imported again without a change', async () => {
    const exported = await command('export-config', folder)
    expect(exported).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 agents, 1 approved answers, 1 documents, 1 embeds. 1 drafts'),
    })
    expect(readdirSync(join(folder, 'agents'))).toEqual(['embeds.yaml', 'pool.md'])
    expect(file('agents/embeds.yaml')).toBe('baths:\n  label: Ask the baths\n  color: "#7a2048"\n')
    expect([file('agents/pool.md'), file('cases/pool.yaml')]).toEqual([POOL, CASES])
    expect(file('knowledge/approved/fee.md')).toContain('question: What does the pool cost?\n')
    expect(file('knowledge/opening.md')).toContain('Nine to five.')
    expect(await command('export-config', folder)).toMatchObject({ code: 1 })
    expect(readdirSync(place)).toEqual(['config'])
    const again = await command('import-config', folder, '--publish')
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('; 0 changes.') })

    const other = await startServer({
      database: 'sqlite',
      env: { AGENTS_DIR: join(folder, 'agents'), KNOWLEDGE_DIR: join(folder, 'knowledge') },
    })
    try {
      const { agents } = (await (await fetch(`${other.url}/api/v1/config`)).json()) as PublicConfiguration
      expect(agents).toMatchObject([{ id: 'pool', greeting: 'Hi' }])
      expect(await (await fetch(`${other.url}/embed-settings.js?embed=baths`)).text()).toContain('Ask the baths')
    } finally {
      await other.stop()
    }
  })

  test('with a mistake anywhere changes nothing', async () => {
    writeFileSync(join(folder, 'agents', 'pool.md'), POOL.replace('greeting: Hi', 'greeting: Welcome'))
    writeFileSync(join(folder, 'agents', 'wrong.md'), POOL.replace('greeting', 'greetings'))
    writeFileSync(join(folder, 'cases', 'nobody.yaml'), '- prompts: A\n')
    const embeds = file('agents/embeds.yaml')
    writeFileSync(join(folder, 'agents', 'embeds.yaml'), 'baths:\n  colour: red\n')
    const { code, output } = await command('import-config', folder, '--publish')
    expect(code).toBe(1)
    expect(output).toContain('agents/wrong.md, line 3: greetings is no key of an agent')
    expect(output).toContain('cases/nobody.yaml, line 1: there is no agent "nobody" in agents')
    expect(output).toContain('agents/embeds.yaml: baths has no key colour')
    expect(output).toContain('Nothing was imported.')
    writeFileSync(join(folder, 'agents', 'embeds.yaml'), embeds)
    expect((await managed('pool'))?.draft.text).toBe(POOL)
    rmSync(join(folder, 'agents', 'wrong.md'))
    rmSync(join(folder, 'cases', 'nobody.yaml'))
    const documents = file('documents.json')
    const more = { ...DOCUMENT, name: 'more.md' }
    writeFileSync(join(folder, 'documents.json'), JSON.stringify([...(JSON.parse(documents) as object[]), more]))
    writeFileSync(join(folder, 'knowledge', 'more.md'), '# More\n\nText.\n')
    const full = await runOperatorCommand({ ...server.env, ...withConstants({ uploadCount: 1 }) }, ['import-config', folder, '--publish'])
    expect(full).toMatchObject({ code: 1, output: 'There is no room for the document more.md. Nothing was imported.\n' })
    expect(await managed('pool')).toMatchObject({ published: 1, draft: { text: POOL } })
    writeFileSync(join(folder, 'documents.json'), documents)
    expect(await command('import-config', folder, '--now')).toMatchObject({ code: 2 })
  })

  test.runIf(database === 'sqlite')('with more files than can be imported is refused as a whole', async () => {
    const large = join(place, 'large')
    for (const part of ['agents', 'cases', 'knowledge/approved']) mkdirSync(join(large, part), { recursive: true })
    for (let index = 0; index < 1_001; index += 1) writeFileSync(join(large, 'knowledge/approved', `a${index}.md`), '')
    writeFileSync(
      join(large, 'documents.json'),
      JSON.stringify(Array.from({ length: 1_001 }, (_, index) => ({ ...DOCUMENT, name: `${index}.md` }))),
    )
    const { code, output } = await command('import-config', large)
    expect(code).toBe(1)
    expect(output).toBe(
      'knowledge/approved has 1001 files ending in .md; at most 1000 of a folder can be imported\n' +
        'documents.json lists 1001 documents; at most 1000 can be imported\nNothing was imported.\n',
    )
  })

  test.runIf(database === 'postgres')('is not imported in part when somebody saves meanwhile', async () => {
    const url = server.env['DATABASE_URL'] as string
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query("BEGIN; UPDATE managed_texts SET draft_revision = draft_revision + 1 WHERE id = 'pool'")
      const importing = command('import-config', folder)
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
      await expect.poll(async () => (await storedRows(server, waiting)).length).toBe(1)
      await client.query('COMMIT')
      expect(await importing).toEqual({ code: 1, output: 'Somebody has changed pool meanwhile: try again. Nothing was imported.\n' })
      expect((await managed('pool'))?.draft.text).toBe(POOL)
    } finally {
      await client.query("UPDATE managed_texts SET draft_revision = 1 WHERE id = 'pool'")
      await client.end()
    }
  })

  test('is imported as drafts, and published only if it is asked for; what the folder lacks stays', async () => {
    writeFileSync(join(folder, 'knowledge', 'opening.md'), '# Opening hours\n\nTen to six.\n')
    writeFileSync(join(folder, 'agents', 'embeds.yaml'), file('agents/embeds.yaml').replace('Ask the baths', 'Ask the pool'))
    expect(await command('import-config', folder)).toMatchObject({ code: 0, output: expect.stringContaining('; 2 changes.') })
    expect(await managed('pool')).toMatchObject({ published: 1, draft: { revision: 2, by: 'Operator' }, cases: { text: CASES } })
    expect(await greeting('pool')).toBe('Hi')
    expect(await embedSettings()).toContain('Ask the baths')
    const { body } = await owner.call<KnowledgeView>('GET', 'knowledge')
    expect(JSON.stringify(body)).toContain('opening.md')
    expect(await command('import-config', folder, '--publish')).toMatchObject({ code: 0, output: expect.stringContaining('; 2 changes.') })
    await eventually(async () => expect(await greeting('pool')).toBe('Welcome'))
    await eventually(async () => expect(await embedSettings()).toContain('Ask the pool'))
    expect(await managed('draft')).toMatchObject({ draft: { revision: 1 } })
    expect(await agentPrompt('pool')).toContain('Answer.')
    const audit = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    expect(audit.body.entries.slice(0, 2).map(({ action }) => action)).toEqual(['embed.save', 'agent.publish-anyway'])
  })
})
