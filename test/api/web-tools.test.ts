import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { MessageMetadata } from '../../src/contract/chat/message.ts'
import type { Turn } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, sendPrompt, type StreamEvent } from '../support/api.ts'
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
    writeFileSync(join(directory, 'assistant.md'), agent('Anna', 'tools: [fetch_page, web_search]\n'))
    writeFileSync(join(directory, 'plain.md'), agent('Plain', ''))
    const choices = 'tools: [calculator, fetch_page, web_search]\nchoices: [instructions, web_search]\npersonalData:\n  email: mask\n'
    writeFileSync(join(directory, 'choices.md'), agent('Choices', choices))
    writeFileSync(join(directory, 'two.md'), agent('Two', 'models: { fast: quick, thorough: deep }\nchoices: [thorough]\n'))
    writeFileSync(join(directory, 'one.md'), agent('One', 'models: { fast: quick, thorough: deep }\n'))
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
    expect(offered).toEqual(['calculator', 'search_knowledge'])
  })

  describe('visitors’ choices about answers', () => {
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const metadataOf = (event: StreamEvent | undefined): MessageMetadata =>
      event?.chunk.type === 'start' ? (event.chunk.messageMetadata ?? {}) : {}
    const received = () => {
      const { messages, tools } = model.requests.at(-1)?.body ?? {}
      return { newest: JSON.stringify(messages?.at(-1)), all: JSON.stringify(messages), tools: tools?.map((tool) => tool.function.name) }
    }

    test('an agent searches the web only for prompts that allow it, where its file says so', async () => {
      expect((await post('/agent/chat/choices', { prompt: 'without' })).status).toBe(200)
      expect(received().tools).not.toContain('web_search')
      expect(received().tools).not.toContain('fetch_page')
      await post('/agent/chat/choices', { prompt: 'with', webSearch: true })
      expect(received().tools).toEqual(expect.arrayContaining(['web_search', 'fetch_page']))
      await post('/agent/chat/assistant', { prompt: 'always' })
      expect(received().tools).toContain('web_search')
    })

    test('instructions reach the model below the prompt, for that answer alone, and are stored nowhere', async () => {
      const instructions = 'Answer in rhymes. Mail ada@example.org.'
      const first = await post('/agent/chat/choices', { prompt: 'hello', instructions })
      const cookie = cookieOf(first)
      const { session_id: session } = (await first.json()) as SendPromptReply
      expect(received().newest).toMatch(/"hello\\n\\nHow I like answers written [^"]*\\nAnswer in rhymes\. Mail /)
      expect(received().all).not.toContain('ada@example.org')
      await post(`/agent/chat/choices?session_id=${session}`, { prompt: 'and now?' }, { cookie })
      expect(received().all).not.toContain('rhymes')
      const regenerated = await post(`/sessions/${session}/regenerate`, { instructions }, { cookie, accept: 'text/event-stream' })
      await allEvents(regenerated)
      expect(received().newest).toContain('Answer in rhymes')
      const data = await (await fetch(`${server.url}/api/v1/me/export`, { headers: { cookie } })).text()
      expect(data).not.toContain('rhymes')
    })

    test('an agent without that choice ignores instructions', async () => {
      expect((await post('/agent/chat/plain', { prompt: 'hello', instructions: 'Answer in rhymes.' })).status).toBe(200)
      expect(received().all).not.toContain('rhymes')
    })

    test('the thorough model answers prompts that ask for it, where the agent’s file says so', async () => {
      const askedBy = async (agent: string, thorough?: boolean) => {
        const reply = await post(`/agent/chat/${agent}`, { prompt: 'hello', thorough }, { accept: 'text/event-stream' })
        const [start] = await allEvents(reply)
        expect(start?.chunk).toMatchObject({ messageMetadata: { model: model.requests.at(-1)?.body.model } })
        return model.requests.at(-1)?.body.model
      }
      expect(await askedBy('two')).toBe('quick')
      expect(await askedBy('two', false)).toBe('quick')
      expect(await askedBy('two', true)).toBe('deep')
      expect(await askedBy('one', true)).toBe('quick')
      expect(await askedBy('plain', true)).toBe('m')
      const { agents } = (await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration
      expect(agents.find(({ id }) => id === 'two')).toMatchObject({ choices: ['thorough'], thoroughModel: 'deep' })
      expect(agents.find(({ id }) => id === 'one')).not.toHaveProperty('thoroughModel')
    })

    test('a thorough answer is repeated, retried and continued by the thorough model, and regenerated by the chosen one', async () => {
      const broken = 'a long story'
      model.script(({ prompt }) => (prompt === broken ? [{ text: 'Half ' }, { cut: true }] : undefined))
      const key = { 'idempotency-key': randomUUID(), accept: 'text/event-stream' }
      const sent = await post('/agent/chat/two', { prompt: broken, thorough: true }, key)
      const cookie = cookieOf(sent)
      const [start] = await allEvents(sent)
      const { sessionId, turnId } = metadataOf(start)
      const asked = model.requests.length
      const [again] = await allEvents(await post('/agent/chat/two', { prompt: broken }, key))
      expect(again?.chunk).toMatchObject({ messageMetadata: { turnId, model: 'deep' } })
      expect(model.requests).toHaveLength(asked)
      const next = async (path: string, body: object) => {
        const { id } = (await (await post(path, body, { cookie })).json()) as Turn
        const [first] = await allEvents(await fetch(`${server.url}/api/v1/turns/${id}/stream`, { headers: { cookie } }))
        expect(first?.chunk).toMatchObject({ messageMetadata: { model: model.requests.at(-1)?.body.model } })
        return { id, model: model.requests.at(-1)?.body.model }
      }
      const retried = await next(`/turns/${turnId}/retry`, {})
      expect(retried.model).toBe('deep')
      expect((await next(`/turns/${retried.id}/continue`, {})).model).toBe('deep')
      expect((await next(`/sessions/${sessionId}/regenerate`, {})).model).toBe('quick')
      expect((await next(`/sessions/${sessionId}/regenerate`, { thorough: true })).model).toBe('deep')
    })

    test('too long instructions are rejected, and a repeated request may have others', async () => {
      const tooLong = await post('/agent/chat/choices', { prompt: 'hello', instructions: 'x'.repeat(1001) })
      expect([tooLong.status, await tooLong.json()]).toMatchObject([400, { code: 'invalid_request' }])
      const key = { 'idempotency-key': randomUUID() }
      const [one, other] = [
        await post('/agent/chat/choices', { prompt: 'hello', instructions: 'Be brief.' }, key),
        await post('/agent/chat/choices', { prompt: 'hello', instructions: 'Be thorough.' }, key),
      ]
      expect((await other.json()) as SendPromptReply).toEqual(await one.json())
    })
  })
})
