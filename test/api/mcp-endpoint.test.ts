import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KnowledgeView } from '../../src/contract/staff/content/knowledge.ts'
import type { CreatedToken } from '../../src/contract/staff/tokens.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { runSnippet } from '../support/documented-programs.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { sitePage, startWebsite, type Website } from '../support/website.ts'

const SUBJECTS = ['parking', 'passports', 'library', 'waste', 'marriage', 'dogs', 'swimming']
const PATIENCE_MS = 60_000
const page = (subject: string, fee: string) =>
  sitePage(subject).replace('</main>', `<h2>Fee</h2><p>The fee for ${subject} is ${fee}.</p></main>`)

interface Result {
  id: string
  title: string
  url: string
  text: string
}

describe.each(DATABASES)('the MCP server of the knowledge on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-mcp-endpoint-'))
  let site: Website
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    site = await startWebsite()
    for (const subject of SUBJECTS) site.pages.set(`/${subject}`, page(subject, `${subject.length} euros`))
    site.list(SUBJECTS.map((subject) => `/${subject}`))
    for (const folder of ['agents', 'knowledge/secret', 'knowledge/town']) mkdirSync(join(directory, folder), { recursive: true })
    const agent = (knowledge: string) => `---\nname: Town\ngreeting: Hello.\nknowledge: ${knowledge}\n---\nAnswer.\n`
    writeFileSync(join(directory, 'agents/assistant.md'), agent('["source:town", town]'))
    writeFileSync(join(directory, 'agents/other.md'), agent('[secret]'))
    const sections = Array.from({ length: 9 }, (_, index) => `## Part ${index}\n\nThe statute says ${index}.\n`)
    writeFileSync(join(directory, 'knowledge/town/statute.md'), `# Statute\n\n${sections.join('\n')}`)
    writeFileSync(join(directory, 'knowledge/town/draft.md'), '---\ndraft: true\n---\n# Statute\n\nThe draft of a statute.\n')
    writeFileSync(join(directory, 'knowledge/secret/plan.md'), '# Statute plan\n\nThe secret plan of a statute.\n')
    const keys = `    website: ${site.url}/sitemap.xml\n    network: private\n    delay: 0\n`
    writeFileSync(join(directory, 'knowledge/sources.yaml'), `sources:\n  - id: town\n${keys}`)
    const env = { ...WITH_CONSOLE, AGENTS_DIR: join(directory, 'agents'), KNOWLEDGE_DIR: join(directory, 'knowledge') }
    server = await startServer({ database, env })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    await eventually(async () => expect(await lastRun()).toMatchObject({ outcome: 'done' }), PATIENCE_MS)
    // A changed, a missing and a new page of seven are held.
    site.pages.set('/parking', page('parking', '99 euros'))
    site.pages.delete('/dogs')
    site.pages.set('/bees', page('bees', '77 euros'))
    site.list([...SUBJECTS, 'bees'].filter((subject) => subject !== 'dogs').map((subject) => `/${subject}`))
    await owner.call('POST', 'knowledge/websites/town/actions', { action: 'sync' })
    await eventually(async () => expect(await lastRun()).toMatchObject({ outcome: 'held' }), PATIENCE_MS)
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await site.close()
    rmSync(directory, { recursive: true })
  })

  const lastRun = async () => (await owner.call<KnowledgeView>('GET', 'knowledge')).body.websites[0]?.lastRun
  const tokenWith = async (change: object = {}) => {
    const wanted = { name: 'MCP', scopes: ['read:knowledge'], agents: ['assistant'], ...change }
    return (await owner.call<CreatedToken>('POST', 'tokens', wanted)).body.token
  }
  const connected = async (token: string) => {
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
    return client
  }
  const search = async (client: Client, query: string) => {
    const { structuredContent } = await client.callTool({ name: 'search', arguments: { query } })
    return (structuredContent as { results: Result[] }).results
  }
  const post = (body: unknown, headers: Record<string, string>) =>
    fetch(`${server.url}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test('does not exist without a token of its scope, and opens to no other and to no browser', async () => {
    expect((await post(LIST, { authorization: `Bearer ${await tokenWith({ scopes: ['answer'] })}` })).status).toBe(404)
    const authorization = `Bearer ${await tokenWith()}`
    expect((await post(LIST, { authorization })).status).toBe(200)
    expect((await post(LIST, { authorization: `Bearer ${await tokenWith({ scopes: ['answer'] })}` })).status).toBe(401)
    expect((await post(LIST, {})).status).toBe(401)
    const cookie = 'privacy-consent=true'
    for (const browser of [{ origin: 'https://evil.example' }, { origin: server.url }, { origin: 'null' }, { 'sec-fetch-site': 'none' }])
      expect((await post(LIST, { authorization, cookie, ...(browser as object) })).status).toBe(403)
    expect((await fetch(`${server.url}/mcp`, { headers: { authorization } })).status).toBe(405)
  })

  test('lists its tools to the official client, which validates what they return', async () => {
    const client = await connected(await tokenWith())
    expect(client.getServerVersion()).toMatchObject({ name: 'parley' })
    await client.ping()
    expect((await client.listTools()).tools).toMatchObject([
      { name: 'search', annotations: { readOnlyHint: true } },
      { name: 'fetch', annotations: { readOnlyHint: true } },
    ])
    const [found] = await search(client, 'statute part 4')
    expect(found).toMatchObject({ title: 'Statute › Part 4', text: expect.stringContaining('4') })
    const { structuredContent: document } = await client.callTool({ name: 'fetch', arguments: { id: found?.id } })
    for (let index = 0; index < 9; index += 1) expect((document as Result).text).toContain(`says ${index}`)
    expect(await client.callTool({ name: 'fetch', arguments: { id: 'unknown' } })).toMatchObject({ isError: true })
    expect(await client.callTool({ name: 'search', arguments: { query: '' } })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'delete', arguments: {} })).rejects.toThrow('Unknown tool')
    await client.close()
  })

  test('finds what answers now: no held page, no draft and no document of another agent', async () => {
    const client = await connected(await tokenWith())
    const [parking] = await search(client, 'fee for parking')
    expect(parking).toMatchObject({ url: `${site.url}/parking`, text: expect.stringContaining('7 euros') })
    const all = await Promise.all(
      ['fee for bees', 'fee for parking 99 euros', 'secret plan', 'draft statute'].map((query) => search(client, query)),
    )
    expect(JSON.stringify(all)).not.toMatch(/77 euros|99 euros|secret|draft/)
    const other = await connected(await tokenWith({ agents: ['other'] }))
    const [plan] = await search(other, 'secret plan')
    expect(plan?.text).toContain('secret plan')
    expect(await client.callTool({ name: 'fetch', arguments: { id: plan?.id } })).toMatchObject({ isError: true })
    const both = await connected(await tokenWith({ agents: ['other', 'assistant'] }))
    expect(JSON.stringify(await search(both, 'statute'))).toMatch(/secret plan/)
    const gone = await connected(await tokenWith({ agents: ['removed'] }))
    expect(await search(gone, 'fee for parking')).toEqual([])
  })

  test('leaves out what staff have stopped', async () => {
    const client = await connected(await tokenWith())
    const [found] = await search(client, 'statute')
    const stopped = ['--file', 'town/statute.md']
    expect((await runOperatorCommand(server.env, ['stop-answering', ...stopped, '--reason', 'wrong'])).code).toBe(0)
    expect(JSON.stringify(await search(client, 'statute'))).not.toContain('The statute says')
    expect(await client.callTool({ name: 'fetch', arguments: { id: found?.id } })).toMatchObject({ isError: true })
    expect((await runOperatorCommand(server.env, ['stop-answering', '--agent', 'assistant', '--reason', 'wrong'])).code).toBe(0)
    expect(await search(client, 'fee for parking')).toEqual([])
  })

  test('runs the program of the documentation', async () => {
    const output = await runSnippet('js', '@modelcontextprotocol/sdk', {
      address: server.url,
      token: await tokenWith({ agents: ['other'] }),
    })
    expect(output).toMatch(/^\[[^]*\]\n$/)
  })

  test('counts calls by the caps of the token', async () => {
    const authorization = `Bearer ${await tokenWith({ caps: { promptsPerMinute: 1 } })}`
    const call = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'search', arguments: { query: 'fee' } } }
    expect((await post(call, { authorization })).status).toBe(200)
    const over = await post(call, { authorization })
    expect([over.status, Number(over.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await post(LIST, { authorization })).status).toBe(200)
  })

  test('refuses what is no request of the protocol', async () => {
    const authorization = `Bearer ${await tokenWith()}`
    for (const body of [[LIST], { ...LIST, jsonrpc: '1.0' }, { ...LIST, id: {} }, { jsonrpc: '2.0', id: 1 }, 1, null])
      expect((await post(body, { authorization })).status, JSON.stringify(body)).toBe(400)
    expect((await post(LIST, { authorization, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { authorization })).status).toBe(202)
    expect(await (await post({ ...LIST, method: 'resources/list' }, { authorization })).json()).toMatchObject({ error: { code: -32_601 } })
  })
})
