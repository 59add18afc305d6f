import { expect, test } from 'vitest'
import type { ExportDocument } from '../../../contract/chat/export.ts'
import { readImport } from './read-import.ts'

const CHAT = {
  title: 'A chat',
  agent: 'assistant',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  messages: [{ role: 'user' as const, createdAt: '2026-11-21T10:00:00.000Z', parts: [{ type: 'text' as const, text: 'Hello' }] }],
}
const DOCUMENT: ExportDocument = { format: 'parley-export', version: 1, exportedAt: CHAT.createdAt, installation: 'Test', chats: [CHAT] }

const read = (value: unknown) => readImport(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const withPart = (part: unknown) => ({ ...DOCUMENT, chats: [{ ...CHAT, messages: [{ ...CHAT.messages[0], parts: [part] }] }] })
const withChat = (change: object) => ({ ...DOCUMENT, chats: [{ ...CHAT, ...change }] })

test('reads an export', () => {
  expect(read(DOCUMENT)).toMatchObject([{ title: 'A chat', createdAt: Date.parse(CHAT.createdAt), messages: [{ role: 'user' }] }])
})

test('rejects text that is not UTF-8', () => {
  const [before, after] = JSON.stringify(withChat({ title: 'A|B' })).split('|')
  expect(readImport(Buffer.concat([Buffer.from(before!), Buffer.from([0xff]), Buffer.from(after!)]))).toBeUndefined()
})

test('hashes equal content equally, whatever its key', () => {
  const [first, again, other] = [{}, { key: 'A'.repeat(21) }, { title: 'Another' }].map(
    (change) => read(withChat(change))?.[0]?.contentHash,
  )
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test.each([
  ['no JSON', '{"format":'],
  ['another format', { ...DOCUMENT, format: 'other' }],
  ['a later version', { ...DOCUMENT, version: 2 }],
  ['an unknown key', { ...DOCUMENT, owner: 'v_x' }],
  ['an owner in a chat', withChat({ owner: 'v_x' })],
  ['__proto__ in a chat', JSON.stringify(DOCUMENT).replace('"title"', '"__proto__":{"a":1},"title"')],
  ['a title that is too long', withChat({ title: 'x'.repeat(81) })],
  ['a chat without messages', withChat({ messages: [] })],
  ['a key that is none', withChat({ key: '../../etc' })],
  ['a time that is none', withChat({ createdAt: 'yesterday' })],
  ['a system message', withChat({ messages: [{ ...CHAT.messages[0], role: 'system' }] })],
  ['a part of an unknown kind', withPart({ type: 'html', html: '<script>' })],
  ['a source that is a script', withPart({ type: 'source-url', sourceId: '1', url: 'javascript:alert(1)' })],
  ['a tool with a name that is none', withPart({ type: 'tool-<b>', toolCallId: '1', state: 'output-available' })],
  ['a text that is no text', withPart({ type: 'text', text: 1 })],
  ['too many chats', { ...DOCUMENT, chats: Array.from({ length: 1001 }, () => CHAT) }],
  ['a 50,000 deep array', '['.repeat(50_000) + ']'.repeat(50_000)],
  [
    'a tool input 1,000 deep',
    JSON.stringify(withPart({ type: 'tool-x', toolCallId: '1', state: 'output-available', input: 0 })).replace(
      '"input":0',
      `"input":${'['.repeat(1000)}${']'.repeat(1000)}`,
    ),
  ],
])('rejects %s', (_name, value) => {
  expect(read(value)).toBeUndefined()
})

test('rejects invalid UTF-8', () => {
  expect(readImport(Buffer.concat([Buffer.from(JSON.stringify(DOCUMENT)), Buffer.from([0xff])]))).toBeUndefined()
})

test('removes NUL, lone surrogates and unknown keys of parts', () => {
  const [chat] = read(withPart({ type: 'text', text: 'a\0b\ud800c', providerMetadata: { evil: {} }, state: 'streaming' })) ?? []
  expect(JSON.parse(chat?.messages[0]?.parts ?? '')).toEqual([{ type: 'text', text: 'ab\uFFFDc' }])
})

test('brackets in a text are not nested, whatever is quoted before them', () => {
  const text = `He said: "${'['.repeat(100)}`
  expect(JSON.parse(read(withPart({ type: 'text', text }))?.[0]?.messages[0]?.parts ?? '')).toEqual([{ type: 'text', text }])
})

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])('rejects values nested deeper than 64 levels, made of %s', (open, close) => {
  const isRead = (depth: number) => {
    const part = JSON.stringify(withPart({ type: 'tool-x', toolCallId: '1', state: 'output-available', input: 'VALUE' }))
    return read(part.replace('"VALUE"', `${open.repeat(depth)}1${close.repeat(depth)}`)) !== undefined
  }
  expect([isRead(0), isRead(50), isRead(65)]).toEqual([true, true, false])
})
