import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { SessionDetail, SessionList } from '../../src/contract/chat/sessions.ts'
import type { CreatedToken } from '../../src/contract/staff/tokens.ts'
import { sendPrompt } from '../support/api.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const ROOT = join(import.meta.dirname, '../..')
const TAG = '<script src="https://chat.example.org/embed.js" data-label="Ask us" async></script>'
/** Tests that run snippets, beside this one, and a text of each snippet. */
const RUN_BY: Readonly<Record<string, readonly string[]>> = {
  'e2e/embed-named.test.ts': [
    'data-agent="assistant"',
    'library:\n',
    'data-embed="library"',
    "'answered'",
    "['library', 'open']",
    'Monte Cristo',
  ],
  'e2e/client-builds.test.ts': ['<ParleyChat', 'client.tgz', 'next/script', 'is:inline'],
  'e2e/ai-sdk.test.ts': ["'use client'"],
  'api/openai-endpoint.test.ts': ["from 'openai'"],
  'api/openai-python.test.ts': ['from openai import'],
  'api/mcp-endpoint.test.ts': ["'@modelcontextprotocol/sdk/client/index.js'"],
  'api/other-tools.test.ts': ['npx @modelcontextprotocol/inspector'],
  'api/documented-snippets.test.ts': ['curl ', 'altcha-lib', '\n<script', 'mcpServers', 'standardwebhooks', 'parley staff token'],
}

interface Snippet {
  code: string
  /** The paragraph before it and the one after it. */
  around: string
}

const snippetsOf = (page: string): Snippet[] => {
  const pieces = readFileSync(join(ROOT, 'docs', page), 'utf8').split(/^```\w*$/m)
  const paragraph = (index: number, at: number) => pieces[index]?.trim().split('\n\n').at(at)
  return pieces.flatMap((code, index) =>
    index % 2 === 1 ? [{ code, around: `${paragraph(index - 1, -1)} ${paragraph(index + 1, 0)}` }] : [],
  )
}
const snippet = (page: string, part: string): string => {
  const found = snippetsOf(page).find(({ code }) => code.includes(part))
  if (!found) throw new Error(`${page} has no snippet with ${part}`)
  return found.code
}
const run = (command: string, args: string[], cwd = ROOT) => promisify(execFile)(command, args, { cwd })
const shell = (script: string, cwd?: string) => run('sh', ['-ec', script.replaceAll('curl ', 'curl -sSf ')], cwd)
const program = (code: string) => run(process.execPath, ['--input-type=module', '-e', code])

const folder = mkdtempSync(join(tmpdir(), 'documented-'))
let server: TestServer
let owner: StaffClient
beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

test.each(['embedding.md', 'api.md', 'integrations.md'])('each snippet of %s is run by a test, or says that it isn’t', (page) => {
  const texts = Object.values(RUN_BY).flat()
  const unknown = snippetsOf(page).filter(
    ({ code, around }) => !texts.some((text) => code.includes(text)) && !/not run|by hand/i.test(around),
  )
  expect(unknown.map(({ code }) => code)).toEqual([])
})

test('the calls of the API', async () => {
  const here = (part: string) => snippet('api.md', part).replaceAll('localhost:3000', new URL(server.url).host)
  expect(JSON.parse((await shell(here('-d '))).stdout)).toMatchObject({ response: expect.stringContaining('36') })
  const { sessions } = (await (await fetch(`${server.url}/api/v1/sessions?id=my-test`)).json()) as SessionList
  const detail = (await (await fetch(`${server.url}/api/v1/sessions/${sessions[0]?.key}?id=my-test`)).json()) as SessionDetail
  await shell(here('/stop').replace('TURN', detail.messages.at(-1)?.metadata?.turnId ?? ''))
  expect(await (await fetch(`${server.url}/api/v1/sessions?id=my-test`)).json()).toMatchObject({ sessions: [] })
})

test('the proof of work', async () => {
  const asking = await startServer({ database: 'sqlite', env: { PROOF_OF_WORK: 'always' } })
  try {
    const { challenge } = (await (await sendPrompt(asking.url, 'me', 'Hello')).json()) as { challenge: object }
    const code = `const challenge = ${JSON.stringify(challenge)}\n${snippet('api.md', 'altcha-lib')}\nconsole.log(header)`
    const header = (await program(code)).stdout.trim()
    expect((await sendPrompt(asking.url, 'me', 'Hello', { headers: { 'proof-of-work': header } })).status).toBe(200)
  } finally {
    await asking.stop()
  }
})

test('the tokens, and the call that writes', async () => {
  const tokenFrom = async (command: string) => {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
    const { output } = await runOperatorCommand(server.env, words.slice(words.indexOf('staff')))
    return /^parley_\S+$/m.exec(output)?.[0] ?? output
  }
  const answering = await tokenFrom(snippet('integrations.md', '"Open WebUI"').trim().split('\n')[0] ?? '')
  expect((await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${answering}` } })).status).toBe(200)
  const [command = '', , ...call] = snippet('integrations.md', '"website"').trim().split('\n')
  const token = await tokenFrom(command)
  writeFileSync(join(folder, 'hours.md'), '# Opening hours\n\nThe library is open until nine.\n')
  const here = call
    .join('\n')
    .replace(/^\$ /, '')
    .replace('http://localhost:3001', owner.origin)
    .replace(/parley_[^']+/, token)
  expect(JSON.parse((await shell(here, folder)).stdout)).toMatchObject({ id: 'library-hours', title: 'Opening hours', isDraft: false })
})

test('the receiver of webhooks', async () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`
  const body = JSON.stringify({ type: 'backup.failed', timestamp: new Date().toISOString(), data: {} })
  const sentAt = new Date()
  const signature = new Webhook(secret).sign('msg_1', sentAt, body)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': signature,
  }
  const given = `process.env.WEBHOOK_SECRET = '${secret}'; const body = ${JSON.stringify(body)}; const request = ${JSON.stringify({ headers })}`
  expect((await program(`${given}\n${snippet('integrations.md', 'standardwebhooks')}\nconsole.log(type)`)).stdout).toBe('backup.failed\n')
})

test('the file of MCP servers names an address and headers that open it', async () => {
  const wanted = { name: 'program', scopes: ['read:knowledge'], agents: ['assistant'] }
  const { token } = (await owner.call<CreatedToken>('POST', 'tokens', wanted)).body
  const text = snippet('integrations.md', 'mcpServers')
    .replace('https://chat.example.org', server.url)
    .replace(/parley_[^"]+/, token)
  const { url, headers } = (JSON.parse(text) as { mcpServers: { town: { url: string; headers: Record<string, string> } } }).mcpServers.town
  const more = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const listed = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  expect(await listed.text()).toContain('"search"')
})

test('the tags of content management systems are those of plain HTML', () => {
  expect(snippet('integrations.md', '\n<script src').trim()).toBe(TAG)
  for (const system of ['add_action', 'page.footerData']) expect(snippet('integrations.md', system)).toContain(TAG)
  expect(parse(snippet('integrations.md', 'type: external'))).toEqual({
    chat: { js: { 'https://chat.example.org/embed.js': { type: 'external', attributes: { async: true, 'data-label': 'Ask us' } } } },
  })
})
