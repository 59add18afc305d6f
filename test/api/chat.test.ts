import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail, SessionList } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, listSessions, sendPrompt, spoken, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe.each(DATABASES)('the two calls on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database })
  })
  afterAll(async () => {
    await server.stop()
  })

  const replyOf = async (response: Response) => (await response.json()) as SendPromptReply

  test('answers a prompt and lists it, without any configuration', async () => {
    const id = 'a-client-of-the-two-calls'
    const response = await sendPrompt(server.url, id, 'What is 6 * 7?')
    expect(response.status).toBe(200)
    const { session_id, response: answer } = await replyOf(response)
    expect(session_id).toMatch(/^[A-Za-z0-9]{21}$/)
    expect(answer).toContain('42')
    const sessions = await listSessions(server.url, id)
    expect(sessions.map((session) => session.key)).toEqual([session_id])
    expect(spoken(sessions[0])).toEqual([
      ['human', 'What is 6 * 7?'],
      ['agent', answer],
    ])
  })

  test('names the only source of an answer that does not cite it by number', async () => {
    const { response, sources } = await replyOf(await sendPrompt(server.url, 'one-source', 'How long are my chats kept?'))
    expect(response).toContain('30 days')
    expect(sources).toMatchObject([{ number: 1, file: 'privacy.md', breadcrumb: expect.stringContaining('How long are my chats kept?') }])
  })

  test('encodes messages exactly as specified', async () => {
    const id = 'exact-form'
    await sendPrompt(server.url, id, 'hello')
    const [session] = await listSessions(server.url, id)
    expect(JSON.parse(session?.messages[0] ?? '')).toEqual({
      type: 'human',
      data: { content: 'hello', additional_kwargs: {}, response_metadata: {}, type: 'text', name: null, id: null, example: false },
    })
  })

  test('continues the caller’s sessions, newest activity first', async () => {
    const id = 'two-sessions'
    const first = await replyOf(await sendPrompt(server.url, id, 'hello'))
    const second = await replyOf(await sendPrompt(server.url, id, 'hello'))
    const again = await replyOf(await sendPrompt(server.url, id, 'What is 2 + 2?', { session: first.session_id }))
    expect(again.session_id).toBe(first.session_id)
    const sessions = await listSessions(server.url, id)
    expect(sessions.map((session) => session.key)).toEqual([first.session_id, second.session_id])
    expect(spoken(sessions[0]).map(([type]) => type)).toEqual(['human', 'agent', 'human', 'agent'])
  })

  test('starts a new session for an id that is empty, unknown, malformed or another principal’s, and leaves that session unchanged', async () => {
    const others = await replyOf(await sendPrompt(server.url, 'somebody-else', 'hello'))
    for (const session of ['', 'A'.repeat(21), 'nonsense', others.session_id]) {
      const reply = await replyOf(await sendPrompt(server.url, 'me-and-mine', 'hello', { session }))
      expect(reply.session_id).not.toBe(session)
    }
    expect(spoken((await listSessions(server.url, 'somebody-else'))[0])).toHaveLength(2)
  })

  test('creates a visitor with the first prompt; its cookie gives access to that visitor’s chats only', async () => {
    const response = await sendPrompt(server.url, 'assistant', 'hello')
    const cookie = cookieOf(response)
    const { session_id } = await replyOf(response)
    expect(response.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Strict; Max-Age=2592000/)
    expect((await listSessions(server.url, 'assistant', { cookie })).map((session) => session.key)).toEqual([session_id])
    expect((await listSessions(server.url, 'me', { cookie })).map((session) => session.key)).toEqual([session_id])
    expect(await listSessions(server.url, 'me')).toEqual([])
    const other = cookieOf(await sendPrompt(server.url, 'assistant', 'hello'))
    expect(await listSessions(server.url, 'me', { cookie: other })).toHaveLength(1)
    const theirs = await replyOf(await sendPrompt(server.url, 'me', 'hello', { session: session_id, headers: { cookie: other } }))
    expect(theirs.session_id).not.toBe(session_id)
  })

  test('opens a session by its id alone until its credential has been used', async () => {
    const response = await sendPrompt(server.url, 'me', 'hello')
    const { session_id: session } = await replyOf(response)
    expect((await replyOf(await sendPrompt(server.url, 'me', 'hello', { session }))).session_id).toBe(session)
    await sendPrompt(server.url, 'me', 'hello', { session, headers: { cookie: cookieOf(response) } })
    expect((await replyOf(await sendPrompt(server.url, 'me', 'hello', { session }))).session_id).not.toBe(session)
  })

  test('streams the same answer that it stores, numbered without gaps', async () => {
    const response = await streamPrompt(server.url, 'streaming', 'What is 6 * 7?')
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = await allEvents(response)
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1))
    expect(events[0]?.chunk.type).toBe('start')
    expect(events.at(-1)?.chunk).toMatchObject({ type: 'finish', messageMetadata: { status: 'done' } })
    expect(events.some(({ chunk }) => chunk.type === 'tool-output-available')).toBe(true)
    const [session] = await listSessions(server.url, 'streaming')
    expect(spoken(session).at(-1)).toEqual(['agent', textOfEvents(events)])
  })

  test('work with an unmodified AI SDK client', async () => {
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${server.url}/api/v1/agent/chat/an-ai-sdk-client`,
      headers: { accept: 'text/event-stream' },
      prepareSendMessagesRequest: ({ messages }) => ({
        body: {
          prompt: messages
            .at(-1)
            ?.parts.map((part) => (part.type === 'text' ? part.text : ''))
            .join(''),
        },
      }),
    })
    const question: UIMessage = { id: '1', role: 'user', parts: [{ type: 'text', text: 'What is 6 * 7?' }] }
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: 'c',
      messageId: undefined,
      messages: [question],
      abortSignal: undefined,
    })
    const answer = (await Array.fromAsync(readUIMessageStream({ stream }))).at(-1)
    const [session] = await listSessions(server.url, 'an-ai-sdk-client')
    const text = answer?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    expect(text).toContain('42')
    expect(spoken(session).at(-1)).toEqual(['agent', text])
    expect(answer?.parts.some((part) => part.type.startsWith('tool-'))).toBe(true)
  })

  test('stores the parts of an answer that the page shows: tool steps, metadata, title', async () => {
    const response = await sendPrompt(server.url, 'me', 'What is 6 * 7?')
    const cookie = cookieOf(response)
    const { session_id } = await replyOf(response)
    const list = (await (await fetch(`${server.url}/api/v1/sessions`, { headers: { cookie } })).json()) as SessionList
    expect(list.sessions).toMatchObject([{ key: session_id, title: 'What is 6 * 7?', runningTurn: null }])
    const detail = (await (await fetch(`${server.url}/api/v1/sessions/${session_id}`, { headers: { cookie } })).json()) as SessionDetail
    expect(detail.messages.map((message) => message.role)).toEqual(['user', 'assistant'])
    expect(detail.messages[1]?.parts.some((part) => part.type === 'tool-calculator')).toBe(true)
    expect(detail.messages[1]?.metadata).toMatchObject({ sessionId: session_id, status: 'done', model: expect.any(String) })
    expect((await fetch(`${server.url}/api/v1/sessions/${session_id}`, { headers: { cookie: 'visitor=x' } })).status).toBe(404)
  })

  test('keep all data across a restart', async () => {
    const { session_id } = await replyOf(await sendPrompt(server.url, 'restart', 'hello'))
    await server.restart()
    expect((await listSessions(server.url, 'restart')).map((session) => session.key)).toEqual([session_id])
  })
})
