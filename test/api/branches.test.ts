import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportDocument } from '../../src/contract/chat/export.ts'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import type { SessionDetail, Turn } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, listSessions, readEvents, spoken, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel, withoutPassages } from '../support/scripted-model.ts'
import { SdkChat } from '../support/sdk-chat.ts'
import { startServer, type TestServer } from '../support/server.ts'

const METRICS_TOKEN = 'a-token-for-prometheus'

describe.each(DATABASES)('versions of messages, on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  let answers = 0
  const refused = Promise.withResolvers<void>()
  beforeAll(async () => {
    model = await startScriptedModel()
    // Each answer is unique.
    model.script(({ prompt }) => {
      if (prompt.startsWith('held')) return [{ text: 'word ' }, { until: refused.promise }]
      return prompt === 'fail' ? { status: 400 } : [{ text: `${prompt} #${(answers += 1)}` }]
    })
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', METRICS_TOKEN } })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
  })

  const post = (path: string, body: object, cookie: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, ...headers },
      body: JSON.stringify(body),
    })

  /** One visitor's chat, as used by the page. */
  class Chat {
    cookie = ''
    key = ''

    async send(prompt: string, edits?: string): Promise<void> {
      const headers = { accept: 'text/event-stream' }
      const response = await post(`/api/v1/agent/chat/me?session_id=${this.key}`, { prompt, edits }, this.cookie, headers)
      this.cookie ||= cookieOf(response)
      const start = (await allEvents(response))[0]?.chunk
      this.key = (start?.type === 'start' && start.messageMetadata?.sessionId) || ''
    }

    async detail(): Promise<SessionDetail> {
      const response = await fetch(`${server.url}/api/v1/sessions/${this.key}`, { headers: { cookie: this.cookie } })
      expect(response.status).toBe(200)
      return (await response.json()) as SessionDetail
    }

    /** The shown messages, with version numbers if there are several. */
    async shown(): Promise<string[]> {
      return (await this.detail()).messages.map(inWords)
    }

    async message(index: number): Promise<ChatMessage> {
      return (await this.detail()).messages.at(index) as ChatMessage
    }

    regenerate = (message: string | undefined, headers: Record<string, string> = {}) =>
      post(`/api/v1/sessions/${this.key}/regenerate`, { message }, this.cookie, headers)
    choose = (message: string | undefined) => post(`/api/v1/sessions/${this.key}/branch`, { message }, this.cookie)

    /** Regenerates and waits for the answer. */
    async again(index: number): Promise<void> {
      await allEvents(await this.regenerate((await this.message(index)).id, { accept: 'text/event-stream' }))
    }
  }

  function inWords(message: ChatMessage): string {
    const { version } = message.metadata ?? {}
    const text = textOf(message).replace(/ #\d+$/, '') || message.metadata?.status
    return `${message.role === 'user' ? 'human' : 'agent'}: ${text}${version ? ` (${version.number}/${version.of})` : ''}`
  }

  async function chatOf(...prompts: string[]): Promise<Chat> {
    const chat = new Chat()
    for (const prompt of prompts) await chat.send(prompt)
    return chat
  }

  const lastSent = () =>
    model.requests
      .at(-1)
      ?.body.messages.filter(({ role }) => role !== 'system')
      .map(({ content }) => withoutPassages(String(content)))

  test('a regenerated answer is stored beside the earlier one, which can be selected again with its follow-ups', async () => {
    const chat = await chatOf('one', 'two')
    const [, first] = (await chat.detail()).messages
    await chat.again(1)
    expect(await chat.shown()).toEqual(['human: one', 'agent: one (2/2)'])
    expect(lastSent()).toEqual(['one'])
    const second = await chat.message(1)
    expect(second.metadata?.version).toEqual({ number: 2, of: 2, before: first?.id })
    expect(textOf(second)).not.toBe(textOf(first as ChatMessage))
    expect((await chat.choose(first?.id)).status).toBe(200)
    expect(await chat.shown()).toEqual(['human: one', 'agent: one (1/2)', 'human: two', 'agent: two'])
    const listed = await listSessions(server.url, 'me', { cookie: chat.cookie })
    expect(spoken(listed[0]).map(([type]) => type)).toEqual(['human', 'agent', 'human', 'agent'])
  })

  test('the model reads the selected version of an answer and continues from it', async () => {
    const chat = await chatOf('one')
    await chat.again(1)
    await chat.send('after the second')
    const second = await chat.message(1)
    await chat.choose(second.metadata?.version?.before)
    const first = await chat.message(1)
    expect(textOf(first)).not.toBe(textOf(second))
    await chat.send('after the first')
    expect(lastSent()).toEqual(['one', textOf(first), 'after the first'])
    await chat.choose(second.id)
    await chat.send('once more after the second')
    expect(lastSent()).toEqual(['one', textOf(second), 'after the second', expect.any(String), 'once more after the second'])
  })

  test('an edited prompt is stored beside the earlier one, and the model reads only the current branch', async () => {
    const chat = await chatOf('one', 'two', 'three')
    const prompt = await chat.message(2)
    await chat.send('other two', prompt.id)
    expect(await chat.shown()).toEqual(['human: one', 'agent: one', 'human: other two (2/2)', 'agent: other two'])
    expect(lastSent()).toEqual(['one', expect.stringMatching(/^one #/), 'other two'])
    await chat.send('four')
    expect(lastSent()).toHaveLength(5)
    await chat.choose(prompt.id)
    expect((await chat.shown()).slice(2)).toEqual(['human: two (1/2)', 'agent: two', 'human: three', 'agent: three'])
    await chat.send('five')
    expect(JSON.stringify(lastSent())).not.toContain('four')
    const first = await chat.message(0)
    await chat.send('another one', first.id)
    expect(await chat.shown()).toEqual(['human: another one (2/2)', 'agent: another one'])
    expect(lastSent()).toEqual(['another one'])
  })

  test('an answer names its prompt, so that the client can edit the prompt at once', async () => {
    const chat = await chatOf('one')
    const [prompt, answer] = (await chat.detail()).messages
    expect(answer?.metadata?.promptId).toBe(prompt?.id)
  })

  test('cannot be changed while the chat has a running turn', async () => {
    const chat = await chatOf('one')
    const [prompt, answer] = (await chat.detail()).messages
    const response = await streamPrompt(server.url, 'me', 'held', { session: chat.key, headers: { cookie: chat.cookie } })
    const events = readEvents(response)
    await events.next()
    const replies = [await chat.choose(answer?.id), await chat.regenerate(answer?.id)]
    replies.push(await post(`/api/v1/agent/chat/me?session_id=${chat.key}`, { prompt: 'x', edits: prompt?.id }, chat.cookie))
    for (const reply of replies) expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([409, 'session_busy'])
    refused.resolve()
    await Array.fromAsync(events)
    expect((await chat.shown())[2]).toBe('human: held')
  })

  test('rejects an unknown message and stores nothing', async () => {
    const chat = await chatOf('one')
    const other = await chatOf('of another')
    const [prompt, answer] = (await chat.detail()).messages
    const foreign = (await other.message(0)).id
    const edit = (session: string, edits: string | undefined) =>
      post(`/api/v1/agent/chat/me?session_id=${session}`, { prompt: 'x', edits }, chat.cookie)
    const replies = [
      await chat.choose(foreign),
      await chat.regenerate(foreign),
      await edit(chat.key, foreign),
      // An answer can't be edited as a prompt, nor anything without its session.
      await edit(chat.key, answer?.id),
      await edit('', prompt?.id),
      await edit('A'.repeat(21), prompt?.id),
      await edit(other.key, foreign),
    ]
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404))
    for (const message of ['', 'x', '../..', 1]) {
      expect((await chat.choose(message as string)).status).toBe(400)
      expect((await edit(chat.key, message as string)).status).toBe(400)
    }
    expect((await post(`/api/v1/agent/chat/me`, { prompt: 'x', edits: prompt?.id, temporary: true }, chat.cookie)).status).toBe(400)
    expect(await chat.shown()).toEqual(['human: one', 'agent: one'])
    expect(await listSessions(server.url, 'me', { cookie: chat.cookie })).toHaveLength(1)
  })

  test('are created by an unmodified AI SDK client: regenerating any answer, and editing a prompt', async () => {
    const stored = await chatOf('before')
    const chat = new SdkChat(server.url, stored.cookie)
    const said = () => chat.messages.map((message) => `${message.role}: ${textOf(message).replace(/ #\d+$/, '')}`)
    await chat.sendMessage({ text: 'one' })
    await chat.sendMessage({ text: 'two' })
    const [, first, prompt] = chat.messages
    await chat.regenerate()
    expect([chat.error, said()]).toEqual([undefined, ['user: one', 'assistant: one', 'user: two', 'assistant: two']])
    stored.key = first?.metadata?.sessionId ?? ''
    expect(await stored.shown()).toEqual(['human: one', 'agent: one', 'human: two', 'agent: two (2/2)'])
    await chat.sendMessage({ text: 'other two', messageId: prompt!.id })
    await chat.regenerate({ messageId: first!.id })
    expect([chat.error, said()]).toEqual([undefined, ['user: one', 'assistant: one']])
    expect(await stored.shown()).toEqual(['human: one', 'agent: one (2/2)'])
    expect((await stored.message(1)).id).toBe(chat.messages[1]?.id)
    await stored.choose(first?.id)
    expect(await stored.shown()).toEqual(['human: one', 'agent: one (1/2)', 'human: other two (2/2)', 'agent: other two'])
  })

  test('are created once per Idempotency-Key', async () => {
    const chat = await chatOf('one')
    const { id } = await chat.message(1)
    const key = { 'idempotency-key': 'one-more-answer' }
    const turns = [await chat.regenerate(id, key), await chat.regenerate(id, key)].map(async (reply) => (await reply.json()) as Turn)
    const [first, second] = await Promise.all(turns)
    expect(second?.id).toBe(first?.id)
    const stream = await chat.regenerate(id, { ...key, accept: 'text/event-stream' })
    expect(textOfEvents(await allEvents(stream))).toMatch(/^one #/)
    expect((await chat.regenerate((await chat.message(0)).id, key)).status).toBe(422)
    expect(await chat.shown()).toEqual(['human: one', 'agent: one (2/2)'])
  })

  test('retrying a failed version replaces that version', async () => {
    const chat = await chatOf('fail', 'go on')
    await chat.again(0)
    const failed = await chat.message(1)
    expect(failed.metadata).toMatchObject({ status: 'failed', version: { number: 2, of: 2 } })
    const retried = await post(`/api/v1/turns/${failed.metadata?.turnId}/retry`, {}, chat.cookie)
    const { id } = (await retried.json()) as Turn
    await allEvents(await fetch(`${server.url}/api/v1/turns/${id}/stream`, { headers: { cookie: chat.cookie } }))
    expect(await chat.shown()).toEqual(['human: fail', 'agent: failed (2/2)'])
    await chat.choose((await chat.message(1)).metadata?.version?.before)
    expect(await chat.shown()).toEqual(['human: fail', 'agent: failed (1/2)', 'human: go on', expect.stringContaining('go on')])
  })

  test('are all exported as JSON, and the one shown as Markdown', async () => {
    const chat = await chatOf('one', 'two')
    await chat.again(1)
    await chat.send('after the second')
    await chat.choose((await chat.message(1)).metadata?.version?.before)
    await chat.send('other two', (await chat.message(2)).id)
    const path = `${server.url}/api/v1/sessions/${chat.key}/export`
    const document = (await (await fetch(`${path}?format=json`, { headers: { cookie: chat.cookie } })).json()) as ExportDocument
    const [exported] = document.chats
    expect(exported?.messages.map(({ role, follows }) => [role, follows])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
      ['user', undefined],
      ['assistant', undefined],
      ['assistant', 1],
      ['user', undefined],
      ['assistant', undefined],
      ['user', 2],
      ['assistant', undefined],
    ])
    expect(exported?.lastShown ?? exported?.messages.length).toBe(9)
    const markdown = await fetch(path, { headers: { cookie: chat.cookie } })
    expect(await markdown.text()).not.toContain('after the second')
  })

  test('a version selected in one tab is published to the others', async () => {
    const chat = await chatOf('one')
    await chat.again(1)
    const { updatedAt } = await chat.detail()
    const stream = await fetch(`${server.url}/api/v1/me/events`, { headers: { cookie: chat.cookie } })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = await reader?.read()
    expect(first?.value).toContain('resync')
    await chat.choose((await chat.message(1)).metadata?.version?.before)
    let heard = ''
    while (!heard.includes('event: session\n')) heard += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    expect(heard).toContain(chat.key)
    expect((await chat.detail()).updatedAt).not.toBe(updatedAt)
  })

  test('stores feedback with its answer, counts it, and lets the visitor change and withdraw it', async () => {
    const chat = await chatOf('one')
    const answer = (await chat.message(1)).id
    const think = (body: object) => post(`/api/v1/sessions/${chat.key}/feedback`, { message: answer, ...body }, chat.cookie)
    const stored = async () => (await chat.message(1)).metadata?.feedback
    expect(await (await think({ thumb: 'up' })).json()).toEqual({ feedback: { thumb: 'up' } })
    expect(await stored()).toEqual({ thumb: 'up' })
    const changed = await think({ thumb: 'down', reason: ' Not\0 what I asked. ' })
    expect(await changed.json()).toEqual({ feedback: { thumb: 'down', reason: 'Not what I asked.' } })
    expect(await stored()).toEqual({ thumb: 'down', reason: 'Not what I asked.' })
    const get = (path: string, headers: Record<string, string> = { cookie: chat.cookie }) => fetch(server.url + path, { headers })
    expect(await (await get(`/api/v1/sessions/${chat.key}/export?format=json`)).text()).toContain('"Not what I asked."')
    expect(await (await get('/api/v1/me/data')).text()).toContain('{"kind":"ratings","count":1}')
    const metrics = await (await get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })).text()
    expect(metrics).toMatch(/parley_feedback_total\{thumb="up"\} 1\n[^]*parley_feedback_total\{thumb="down"\} 1\n/)
    expect(metrics).not.toContain('asked')
    expect(await (await think({ thumb: null })).json()).toEqual({ feedback: null })
    expect(await stored()).toBeUndefined()
  })

  test('accepts valid feedback on the visitor’s own answers only', async () => {
    const chat = await chatOf('one')
    const foreign = (await (await chatOf('of another')).message(1)).id
    const [prompt, answer] = (await chat.detail()).messages
    const think = async (message: string | undefined, rest: object = { thumb: 'up' }) =>
      (await post(`/api/v1/sessions/${chat.key}/feedback`, { message, ...rest }, chat.cookie)).status
    expect([await think(prompt?.id), await think(foreign)]).toEqual([404, 404])
    const broken = [{}, { thumb: 'sideways' }, { thumb: 1 }, { thumb: 'up', reason: 'x'.repeat(1001) }, { thumb: 'up', score: 5 }]
    for (const body of broken) expect(await think(answer?.id, body)).toBe(400)
    expect((await chat.message(1)).metadata?.feedback).toBeUndefined()
  })
})
