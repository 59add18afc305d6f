import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as seven from 'ai'
import * as five from 'ai-v5'
import * as six from 'ai-v6'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { approvalRequestParts } from '../../src/contract/chat/parts/tool.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import type { DataReport } from '../../src/contract/rights.ts'
import type { ParleyTransport, ParleyTransportOptions } from '../../src/web/client/client.ts'
import { unpackClient } from '../support/client-package.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const ORIGIN = 'https://shop.example.org'
/** The chats of `useChat`, without React. */
const SDKS: Record<string, typeof seven> = { 5: five as never, 6: six as never, 7: seven }
const VERSIONS = Object.keys(SDKS)
const CALL = [{ toolCall: { name: 'calculator', arguments: { expression: '2 + 2' } } }]

const agents = mkdtempSync(join(tmpdir(), 'client-package-'))
let unpacked: Awaited<ReturnType<typeof unpackClient>>
let model: ScriptedModel
let server: TestServer

beforeAll(async () => {
  unpacked = await unpackClient()
  model = await startScriptedModel()
  const front = 'name: Anna\ngreeting: Hello.\ntools: [calculator]\napproval: [calculator]\npersonalData:\n  card: refuse'
  writeFileSync(join(agents, 'assistant.md'), `---\n${front}\n---\nYou are Anna.\n`)
  const env = {
    AGENTS_DIR: agents,
    OPENAI_BASE_URL: model.baseUrl,
    MODEL: 'm',
    ALLOWED_ORIGINS: ORIGIN,
    PROOF_OF_WORK: 'always',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  server = await startServer({ database: 'sqlite', env })
})
afterAll(async () => {
  await server.stop()
  await model.close()
  for (const folder of [agents, unpacked.folder]) rmSync(folder, { recursive: true })
})
beforeEach(() => model.clear())
afterEach(() => void vi.unstubAllGlobals())

/** A client without cookies, whose id is its credential. */
function open(options: Partial<ParleyTransportOptions> = {}): ParleyTransport {
  return unpacked.client.createParleyTransport({ url: server.url, id: crypto.randomUUID(), consent: () => true, ...options })
}

/** A chat of a version of the SDK, as `useChat` has it. */
function chatOf(version: string, transport: ParleyTransport, id = 'chat') {
  const { AbstractChat, lastAssistantMessageIsCompleteWithApprovalResponses: sendAutomaticallyWhen } = SDKS[version] as typeof seven
  class Chat extends AbstractChat<ChatMessage> {}
  const state = {
    status: 'ready' as const,
    error: undefined,
    messages: [] as ChatMessage[],
    pushMessage: (message: ChatMessage) => void (state.messages = [...state.messages, message]),
    popMessage: () => void (state.messages = state.messages.slice(0, -1)),
    replaceMessage: (index: number, message: ChatMessage) => void (state.messages = state.messages.with(index, message)),
    snapshot: <T>(value: T): T => structuredClone(value),
  }
  return new Chat({ id, transport, state, sendAutomaticallyWhen })
}

const texts = ({ messages }: { messages: ChatMessage[] }) => messages.map(textOf)
const prompts = () => model.requests.map(({ prompt }) => prompt)

test.each(VERSIONS)('a chat of the AI SDK %s goes on, edits and answers again', async (version) => {
  model.script([{ text: 'It is 36.' }])
  model.script([{ text: 'It is 18.' }])
  model.script([{ text: 'Eighteen.' }])
  model.script([{ text: 'It is 12.' }])
  const transport = open()
  const chat = chatOf(version, transport)
  await chat.sendMessage({ text: 'What is 15% of 240?' })
  await chat.sendMessage({ text: 'and half of that?' })
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('It is 36.')
  await chat.regenerate()
  await chat.sendMessage({ text: 'and a third?', messageId: chat.messages[2]?.id ?? '' })
  const conversation = ['What is 15% of 240?', 'It is 36.', 'and a third?', 'It is 12.']
  expect(texts(chat)).toEqual(conversation)
  expect((await transport.loadMessages<ChatMessage>('chat')).map(textOf)).toEqual(conversation)
})

test.each(['6', '7'])('a decision about a tool call in the AI SDK %s continues the answer', async (version) => {
  const transport = open()
  for (const approved of [true, false]) {
    model.script(CALL)
    model.script([{ text: 'That was it.' }])
    const chat = chatOf(version, transport, String(approved))
    await chat.sendMessage({ text: 'What is 2 + 2?' })
    const [part] = approvalRequestParts(chat.messages.at(-1) as ChatMessage)
    await chat.addToolApprovalResponse({ id: part?.approval.id ?? '', approved })
    await expect.poll(() => texts(chat)).toEqual(['What is 2 + 2?', 'That was it.'])
    const state = approved ? 'output-available' : 'output-denied'
    expect(chat.messages.at(-1)?.parts).toContainEqual(expect.objectContaining({ type: 'tool-calculator', state }))
    expect(prompts()).not.toContain('That was it.')
    await transport.rate(String(approved), chat.messages.at(-1)?.id ?? '', 'up')
    const stored = await transport.loadMessages<ChatMessage>(String(approved))
    expect(stored.at(-1)).toMatchObject({ metadata: { feedback: { thumb: 'up' } } })
    model.script([{ text: 'And on.' }])
    await chat.sendMessage({ text: 'Go on' })
    expect(texts(chat).slice(2)).toEqual(['Go on', 'And on.'])
  }
})

test('a tool call is decided, and an answer retried and continued, after a reload', async () => {
  const transport = open()
  const chat = chatOf('7', transport)
  const follow = async () => {
    chat.messages = await transport.loadMessages('chat')
    await chat.resumeStream()
  }
  model.script(CALL)
  await chat.sendMessage({ text: 'What is 2 + 2?' })
  chat.messages = await transport.loadMessages('chat')
  const decisions = approvalRequestParts(chat.messages.at(-1) as ChatMessage).map(({ approval }) => approval)
  model.script([{ text: 'It is 4.' }])
  await transport.approve(
    'chat',
    decisions.map(({ id, signature }) => ({ id, signature, approved: true })),
  )
  await follow()
  await expect.poll(() => textOf(chat.messages.at(-1) as ChatMessage)).toBe('It is 4.')
  model.script({ status: 400 })
  await chat.sendMessage({ text: 'Break' })
  model.script([{ text: 'Once ' }, { finish: 'length' }])
  await transport.retry('chat')
  await follow()
  model.script([{ text: 'upon a time.' }])
  await transport.continue('chat')
  await follow()
  expect(texts(chat).slice(-2)).toEqual(['Once ', 'upon a time.'])
})

test.each(VERSIONS)('a failed answer has its code in the AI SDK %s, after what was written', async (version) => {
  model.script([{ text: 'Once upon ' }, { cut: true }])
  const chat = chatOf(version, open())
  await chat.sendMessage({ text: 'Tell me' })
  expect(chat.error).toMatchObject({ name: 'ParleyError', code: 'model_interrupted' })
  expect(texts(chat)).toEqual(['Tell me', 'Once upon '])
})

test('a rejected prompt says why, and where it has personal data', async () => {
  const chat = chatOf('7', open())
  await chat.sendMessage({ text: ' ' })
  expect(chat.error).toMatchObject({ code: 'prompt_empty', status: 400 })
  await chat.sendMessage({ text: 'my card is 4111 1111 1111 1111' })
  expect(chat.error).toMatchObject({ code: 'personal_data', status: 422, personalData: [{ kind: 'card', start: 11, end: 30 }] })
  expect(prompts().filter((prompt) => prompt.includes('my card'))).toEqual([])
})

test('nothing is sent before consent', async () => {
  const calls = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', calls)
  const chat = chatOf('7', open({ consent: () => false }))
  await chat.sendMessage({ text: 'Too early' })
  expect(chat.error).toMatchObject({ code: 'consent_required' })
  expect(calls).not.toHaveBeenCalled()
})

test('a page of another site sends a file under its id, and solves the proof of work that it is asked for', async () => {
  const { fetch } = globalThis
  const statuses: number[] = []
  vi.stubGlobal('fetch', async (...[address, init]: Parameters<typeof fetch>) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', ORIGIN)
    headers.set('sec-fetch-site', 'cross-site')
    headers.set('x-forwarded-for', '198.51.100.1')
    const response = await fetch(address, { ...init, headers })
    if (init?.method === 'POST') statuses.push(response.status)
    return response
  })
  const transport = open()
  const chat = chatOf('7', transport)
  model.script([{ text: 'I have read it.' }])
  const url = `data:text/plain,${encodeURIComponent('The secret ingredient is nutmeg.')}`
  await chat.sendMessage({ text: 'What is in it?', files: [{ type: 'file', mediaType: 'text/plain', filename: 'a.txt', url }] })
  expect([chat.error, statuses]).toEqual([undefined, [200, 428, 200]])
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('nutmeg')
  const [prompt] = await transport.loadMessages<ChatMessage>('chat')
  expect(prompt?.parts[0]).toMatchObject({ type: 'file', url: expect.stringMatching(`^${server.url}/api/v1/files/f_`) })
})

test('a file keeps its place when its prompt is edited', async () => {
  const transport = open()
  const chat = chatOf('7', transport)
  const file = { type: 'file' as const, mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain,nutmeg' }
  await chat.sendMessage({ text: 'What is in it?', files: [file] })
  chat.messages = await transport.loadMessages('chat')
  const [stored] = chat.messages
  await chat.sendMessage({ ...stored, messageId: stored?.id } as never)
  expect([chat.error, JSON.stringify(model.requests.at(-1)?.body.messages)]).toEqual([undefined, expect.stringContaining('nutmeg')])
})

test('a visitor sees what is stored, deletes a chat, and begins a new one under its id', async () => {
  const transport = open()
  const chat = chatOf('7', transport)
  await chat.sendMessage({ text: 'Hello' })
  expect((await transport.myData<DataReport>()).stored).toContainEqual({ kind: 'chats', count: 1 })
  await transport.deleteChat('chat')
  expect((await transport.myData<DataReport>()).stored).toEqual([])
  expect(await transport.loadMessages('chat')).toEqual([])
  await chat.sendMessage({ text: 'Hello again' })
  expect(chat.error).toBeUndefined()
})

test('a stopped answer keeps what was written', async () => {
  const transport = open()
  const chat = chatOf('7', transport)
  model.script([{ text: 'It begins ' }, { silence: true }])
  const sending = chat.sendMessage({ text: 'Tell me a story' })
  await expect.poll(() => chat.messages.at(-1) && textOf(chat.messages.at(-1) as ChatMessage)).toMatch(/^It begins/)
  await chat.stop()
  await sending
  expect(await model.requests.at(-1)?.ended).toBe(true)
  await expect
    .poll(async () => (await transport.loadMessages<ChatMessage>('chat')).map(textOf))
    .toEqual(['Tell me a story', expect.stringMatching(/^It begins/)])
})

test('the package is built where it is served', async () => {
  const [packed, script] = await Promise.all(['client.tgz', 'client.js'].map((name) => fetch(`${server.url}/${name}`)))
  expect([packed?.status, script?.status]).toEqual([200, 200])
  expect(() => unpacked.client.createParleyTransport({ consent: () => true })).toThrow(/url/)
})
