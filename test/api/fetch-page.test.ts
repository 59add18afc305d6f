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
    response.end('inside')
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
    writeFileSync(join(directory, 'assistant.md'), agent('Anna', 'tools: [fetch_page]\nknowledge: []\n'))
    writeFileSync(join(directory, 'plain.md'), agent('Plain', ''))
    const env = { AGENTS_DIR: directory, OPENAI_BASE_URL: model.baseUrl, MODEL: 'm' }
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

  test('is unavailable to an agent whose file does not name it', async () => {
    await ask('plain', 'use fetch_page {"url": "https://example.org/"}')
    const offered = model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name)
    expect(offered).toEqual(['search_knowledge'])
  })
})
