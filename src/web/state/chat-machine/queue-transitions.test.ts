import { expect, test } from 'vitest'
import { Chat, CHATS, begun, detailOf, KEY, open, OTHER_KEY, QUESTION, sessionOf, submit } from '../../../../test/support/chat-states.ts'

const UNSENT = { prompt: 'a prompt', id: 'm_prompt' }
const FOUND = { unsent: { prompt: 'typed', id: 'm_typed' }, session: KEY, files: [] }
const ENABLE = { type: 'queue-enabled' as const }
const searched = (key: string | null, found: typeof FOUND | null = null) => ({ type: 'queue-searched' as const, key, found })
const flushed = (isOnline = true) => ({ type: 'queue-flushed' as const, isOnline })
/** A chat without a queued prompt. */
const idle = () => CHATS.settled().on(ENABLE, searched(KEY), flushed()).settled()
const typesOf = (chat: Chat) => chat.effects().map(({ type }) => type)

test('the queue is searched for the open chat, and flushed after that', () => {
  const chat = CHATS.settled().settled().on(ENABLE)
  expect(chat.effects()).toEqual([{ type: 'search-queue', key: KEY }])
  expect(chat.on(searched(KEY)).effects()).toEqual([{ type: 'flush-queue', exceptId: undefined }])
})

test('the queue is flushed at once while an answer is pending', () => {
  const chat = CHATS.answering().settled().on(ENABLE)
  expect(chat.effects()).toEqual([{ type: 'flush-queue', exceptId: undefined }])
  chat.on(flushed()).settled().on({ type: 'network-restored' })
  expect(chat.effects()).toEqual([{ type: 'flush-queue', exceptId: undefined }])
})

test('a prompt that fails offline is stored and queued; without the queue it is rejected', () => {
  const chat = idle().on(submit()).settled().report({ type: 'answer-rejected', code: 'offline' })
  expect(chat.effects()).toContainEqual({ type: 'store-queued-prompt', session: chat.state.session, unsent: UNSENT })
  expect(chat.on({ type: 'prompt-queued', id: 'm_prompt' }).answer).toMatchObject({ status: 'rejected', code: 'waiting', retry: UNSENT })
  const plain = CHATS.sending().settled().report({ type: 'answer-rejected', code: 'offline' })
  expect(typesOf(plain)).toEqual(['report-rejected'])
})

test('a temporary prompt is not stored', () => {
  const chat = new Chat().on(ENABLE, searched(null), flushed(), submit({ isTemporary: true })).settled()
  expect(typesOf(chat.report({ type: 'answer-rejected', code: 'offline' }))).toEqual(['report-rejected'])
})

test('a prompt withdrawn while it is being stored is removed', () => {
  const chat = idle().on(submit()).report({ type: 'answer-rejected', code: 'offline' })
  chat.on({ type: 'prompt-withdrawn' }).settled().on({ type: 'prompt-queued', id: 'm_prompt' })
  expect(chat.effects()).toEqual([{ type: 'remove-queued-prompt', id: 'm_prompt' }])
  expect(chat.answer).toEqual({ status: 'none' })
})

test('a prompt retried while it is being stored continues', () => {
  const chat = idle().on(submit()).report({ type: 'answer-rejected', code: 'offline' })
  chat.on({ type: 'retry-requested', id: 'm_id', retry: UNSENT }).settled().on({ type: 'prompt-queued', id: 'm_prompt' })
  expect([chat.answer?.status, chat.effects()]).toEqual(['sending', []])
})

test('a found prompt is shown as waiting in its chat, and the queue is flushed except for it', () => {
  const chat = CHATS.settled().on(ENABLE).settled().on(searched(KEY, FOUND))
  expect(chat.state.session?.messages.at(-1)).toMatchObject({ id: 'm_typed', role: 'user' })
  expect(chat.answer).toEqual({ status: 'rejected', code: 'waiting', retry: FOUND.unsent })
  expect(chat.effects().at(-1)).toEqual({ type: 'flush-queue', exceptId: 'm_typed' })
})

test('a found prompt that began a chat replaces a new one, once', () => {
  const chat = new Chat().on(ENABLE)
  expect(chat.effects()).toEqual([{ type: 'search-queue', key: null }])
  chat.settled().on(searched(null, FOUND))
  expect(chat.state.session).toMatchObject({ key: KEY, title: 'typed', messages: [{ id: 'm_typed' }] })
  chat.settled().on({ type: 'chat-closed' })
  expect(typesOf(chat)).not.toContain('search-queue')
})

test('a found prompt is ignored if another chat is open by then, or an answer is pending', () => {
  for (const chat of [
    idle().on(searched(OTHER_KEY, { ...FOUND, session: OTHER_KEY })),
    idle().on(submit()).settled().on(searched(KEY, FOUND)),
  ])
    expect([chat.state.session?.messages.some(({ id }) => id === 'm_typed'), chat.effects()]).toEqual([false, []])
})

test('the queue is searched when a chat is loaded, and not again while it stays open', () => {
  const chat = idle().on(open(null, OTHER_KEY)).settled()
  chat.report({ type: 'session-received', session: detailOf({ key: OTHER_KEY }) })
  expect(chat.effects()).toContainEqual({ type: 'search-queue', key: OTHER_KEY })
  chat.on({ type: 'session-renamed', key: OTHER_KEY, title: 'renamed' })
  expect(chat.effects()).toEqual([])
})

test('the queue is searched for a stored chat that can’t be fetched', () => {
  const chat = new Chat().on(ENABLE, searched(null), flushed(), open(sessionOf({ answer: { status: 'opening' } }))).settled()
  expect(typesOf(chat.report({ type: 'session-failed', code: 'offline', isFinal: false }))).toContain('search-queue')
})

test('the queue is not searched for a chat of which nothing is shown while it can’t be fetched', () => {
  const chat = idle().on(open(null, OTHER_KEY)).settled()
  expect(typesOf(chat.report({ type: 'session-failed', code: 'offline', isFinal: false }))).not.toContain('search-queue')
})

test('one cached message is enough to search the queue while the server can’t be reached', () => {
  const cached = sessionOf({ messages: [QUESTION], answer: { status: 'opening' } })
  const chat = idle().on(open(cached, OTHER_KEY)).settled()
  expect(typesOf(chat.report({ type: 'session-failed', code: 'offline', isFinal: false }))).toContain('search-queue')
})

test('a restored connection flushes the queue, one flush at a time, and then sends the waiting prompt', () => {
  const chat = CHATS.offline().settled().on({ type: 'network-restored' }, { type: 'network-restored' })
  expect(chat.effects()).toEqual([{ type: 'flush-queue', exceptId: 'm_prompt' }])
  chat.on(flushed())
  expect(chat.effects().at(-1)).toMatchObject({ type: 'post-prompt', unsent: UNSENT })
})

test('a flush without a connection sends nothing', () => {
  const chat = CHATS.offline().settled().on({ type: 'network-restored' }).settled().on(flushed(false))
  expect([chat.answer, chat.effects()]).toMatchObject([{ code: 'waiting' }, []])
})

test('a queued prompt is removed once it is sent, and stays stored when its chat is left', () => {
  const sent = CHATS.offline().on({ type: 'network-restored' }, flushed()).settled()
  sent.report(begun(), { type: 'answer-progressed', message: sessionOf().messages[1]! })
  expect(sent.effects()).toContainEqual({ type: 'remove-queued-prompt', id: 'm_prompt' })
  const left = CHATS.offline().settled().on({ type: 'chat-closed' })
  expect(typesOf(left)).not.toContain('remove-queued-prompt')
})

test('a queued prompt is removed from the queue after the server has named its chat', () => {
  const sent = CHATS.offline().on({ type: 'network-restored' }, flushed()).settled()
  sent.report(begun({ sessionId: OTHER_KEY }), { type: 'answer-progressed', message: sessionOf().messages[1]! })
  expect(sent.effects()).toContainEqual({ type: 'remove-queued-prompt', id: 'm_prompt' })
})

test('a queued prompt that is withdrawn is removed, and the queue is searched for another', () => {
  const chat = CHATS.offline().settled().on({ type: 'prompt-withdrawn' })
  expect(typesOf(chat)).toEqual(['restore-draft', 'remove-queued-prompt', 'search-queue'])
})

test('files of a queued prompt are uploaded once, and the session finally shows the server’s versions', () => {
  const found = { ...FOUND, unsent: { ...FOUND.unsent, attachments: ['local:1'] } }
  const chat = CHATS.settled().on(ENABLE, searched(KEY, found), flushed())
  const uploaded = { ...found.unsent, attachments: ['f_1'] }
  chat.report({ type: 'files-uploaded', unsent: uploaded })
  expect(chat.answer).toEqual({ status: 'sending', unsent: uploaded })
  chat.report(begun()).settled().report({ type: 'answer-ended', message: sessionOf().messages[1]! })
  expect(typesOf(chat)).toContain('fetch-session')
})
