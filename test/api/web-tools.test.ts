import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { sendPrompt } from '../support/api.ts'
import { obey } from '../support/obedient-model.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe('the web', () => {
  const directory = mkdtempSync(join(tmpdir(), 'web-'))
  const heard: string[] = []
  const inside = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end(JSON.stringify({ results: [{ url: 'https://example.org/', title: 'Found', content: 'inside' }] }))
  })
  let model: ScriptedModel
  let server: TestServer
  let port: number

  beforeAll(async () => {
    inside.listen(0, '127.0.0.1')
    await once(inside, 'listening')
    port = (inside.address() as AddressInfo).port
    model = await startScriptedModel()
    model.script((request) => (request.prompt.startsWith('use ') ? obey(request) : [{ text: 'Hello.' }]))
    const agent = (name: string, tools: string) => `---\nname: ${name}\ngreeting: Hello.\n${tools}---\nYou are ${name}.\n`
    writeFileSync(join(directory, 'assistant.md'), agent('Anna', 'tools: [fetch_page, web_search]\nknowledge: []\n'))
    writeFileSync(join(directory, 'plain.md'), agent('Plain', ''))
    const choices = 'tools: [calculator, fetch_page, web_search]\nchoices: [web_search]\n'
    writeFileSync(join(directory, 'choices.md'), agent('Choices', choices))
    const env = { AGENTS_DIR: directory, OPENAI_BASE_URL: model.baseUrl, MODEL: 'm', WEB_SEARCH_URL: `http://127.0.0.1:${port}/search` }
    server = await startServer({ database: 'sqlite', env })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    inside.close()
    rmSync(directory, { recursive: true })
  })

  const ask = async (agent: string, prompt: string) => {
    const reply = await sendPrompt(server.url, agent, prompt)
    return ((await reply.json()) as SendPromptReply).response
  }

  test.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:7f00:1]/',
    'http://localhost./',
    'http://localhost:PORT/',
    'http://127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
  ])('a page at %s is rejected, and no request reaches that address', async (address) => {
    const before = heard.length
    const url = address.replace('PORT', String(port))
    expect(await ask('assistant', `use fetch_page ${JSON.stringify({ url })}`)).toBe('This address is not on the public web.')
    expect(heard).toHaveLength(before)
  })

  test.each(['http://ok@127.0.0.1/', 'file:///etc/passwd', 'javascript:alert(1)'])('%s is not read as a page', async (url) => {
    expect(await ask('assistant', `use fetch_page ${JSON.stringify({ url })}`)).toBe('This is not a web address.')
  })

  test('a search is sent to the operator’s endpoint', async () => {
    expect(await ask('assistant', 'use web_search {"query": "tea"}')).toContain('Found')
    expect(heard.at(-1)).toBe('/search?q=tea&format=json')
  })

  test('is unavailable to an agent whose file does not name it', async () => {
    await ask('plain', 'use fetch_page {"url": "https://example.org/"}')
    const offered = model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name)
    expect(offered).toEqual(['search_knowledge'])
  })

  describe('visitors’ choices about answers', () => {
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const offered = () => model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name)

    test('an agent searches the web only for prompts that allow it, where its file says so', async () => {
      expect((await post('/agent/chat/choices', { prompt: 'without' })).status).toBe(200)
      expect(offered()).not.toContain('web_search')
      expect(offered()).not.toContain('fetch_page')
      await post('/agent/chat/choices', { prompt: 'with', webSearch: true })
      expect(offered()).toEqual(expect.arrayContaining(['web_search', 'fetch_page']))
      await post('/agent/chat/assistant', { prompt: 'always' })
      expect(offered()).toContain('web_search')
    })

    test('a repeated request may have another choice, and gets the same answer', async () => {
      const key = { 'idempotency-key': randomUUID() }
      const [one, other] = [
        await post('/agent/chat/choices', { prompt: 'hello', webSearch: true }, key),
        await post('/agent/chat/choices', { prompt: 'hello' }, key),
      ]
      expect((await other.json()) as SendPromptReply).toEqual(await one.json())
    })
  })
})
