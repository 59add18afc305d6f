import { expect, test } from 'vitest'
import { ANSWER, answerMessage, begun, Chat, CHATS, detailOf, KEY, QUESTION, submit, TURN } from '../../../../test/support/chat-states.ts'

const grow = (words: string) => ({ type: 'answer-progressed' as const, message: answerMessage('m_streaming', words) })
const shownText = ({ answer }: Chat) =>
  answer?.status === 'answering' ? answer.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') : null

test('an answer that begins gives the prompt its id and the session its key', () => {
  const chat = new Chat()
    .on(submit())
    .settled()
    .report(begun({ sessionId: 'server-key' }))
  expect(chat.state.session).toMatchObject({ key: 'server-key', messages: [{ id: 'm_stored' }], answer: { status: 'sending' } })
  expect(chat.effects()).toEqual([
    { type: 'move-draft', from: KEY, to: 'server-key' },
    { type: 'report-accepted', key: 'server-key' },
  ])
})

test('a prompt keeps its id where the answer names none', () => {
  const chat = CHATS.sending().report(begun({ promptId: undefined }))
  expect(chat.state.session?.messages.at(-1)?.id).toBe('m_prompt')
})

test('only a prompt is reported as accepted', () => {
  const chat = CHATS.repeating().report({ type: 'turn-accepted', turn: TURN }).settled().report(begun())
  expect(chat.effects()).toEqual([])
})

test('a streaming answer is shown up to its last event', () => {
  const chat = CHATS.answering().report(grow('an answer'))
  expect(chat.answer).toEqual({ status: 'answering', turn: TURN, message: answerMessage('m_streaming', 'an answer'), connection: 'live' })
})

test('a stream that starts over is not shown until it has caught up', () => {
  const chat = CHATS.answering().report(grow('an answer'), { type: 'connection-changed', connection: 'reconnecting' })
  expect(chat.answer).toMatchObject({ connection: 'reconnecting' })
  chat.report({ type: 'connection-changed', connection: 'live' }, grow('an'))
  expect(shownText(chat)).toBe('an answer')
  chat.report(grow('an answer in full'))
  expect(shownText(chat)).toBe('an answer in full')
  // Once it has caught up, a shorter text is a change of the answer.
  expect(shownText(chat.report(grow('short')))).toBe('short')
  expect(shownText(chat.report(grow('')))).toBe('')
})

test('text that was still on its way shows while the connection is restored', () => {
  const chat = CHATS.answering().report({ type: 'connection-changed', connection: 'reconnecting' }, grow('an answer'))
  expect([shownText(chat), chat.answer]).toMatchObject(['an answer', { connection: 'reconnecting' }])
})

test('an answer that ends is appended, stored and reported', () => {
  const done = answerMessage('m_done')
  const chat = CHATS.answering().settled().report({ type: 'answer-ended', message: done })
  expect(chat.state.session).toMatchObject({ messages: [QUESTION, ANSWER, { id: 'm_stored' }, done], answer: { status: 'none' } })
  expect(chat.state.work).toEqual({ kind: 'idle' })
  expect(chat.effects()).toEqual([{ type: 'store-session' }, { type: 'report-ended', message: done }])
})

test.each([
  ['an edited prompt', { type: 'edit-submitted', id: 'm_edit', edits: 'm_question', prompt: 'edited' }],
  ['a regenerated answer', { type: 'regenerate-requested', id: 'm_id', answer: 'm_answer' }],
] as const)('the session shows the versions after %s', (_, event) => {
  const chat = CHATS.settled().on(event)
  if (event.type === 'regenerate-requested') chat.report({ type: 'turn-accepted', turn: TURN })
  chat
    .report(begun())
    .settled()
    .report({ type: 'answer-ended', message: answerMessage('m_done') })
  expect(chat.effects().at(-1)).toEqual({ type: 'fetch-session', key: KEY })
})

test('an answer that can’t be followed is looked up in its session', () => {
  const chat = CHATS.answering().settled().report({ type: 'answer-rejected', code: 'not_found' })
  expect(chat.effects()).toContainEqual({ type: 'fetch-session', key: KEY })
  expect(chat.state.lostTurn).toBe(TURN)
})

test('a turn that is lost twice is an error', () => {
  const chat = CHATS.answering().report({ type: 'answer-rejected', code: 'not_found' })
  chat.report({ type: 'session-received', session: detailOf({ runningTurn: TURN }) }, { type: 'answer-rejected', code: 'not_found' })
  expect(chat.answer).toMatchObject({ status: 'rejected', code: 'not_found', retry: { turn: TURN, how: 'retry' } })
})

test('another turn that is lost after the first is looked up again', () => {
  const chat = CHATS.answering().report({ type: 'answer-rejected', code: 'not_found' })
  chat.report({ type: 'session-received', session: detailOf({ runningTurn: 't_2' }) }, { type: 'answer-rejected', code: 'not_found' })
  expect(chat.state.work.kind).toBe('loading')
})

test('the server deletes a temporary chat when its answer ends, when it is left, and with the page', () => {
  const temporary = () =>
    new Chat()
      .on(submit({ isTemporary: true }))
      .report(begun({ sessionId: 'temporary' }))
      .settled()
  const deleted = { type: 'delete-session', key: 'temporary' }
  expect(
    temporary()
      .report({ type: 'answer-ended', message: answerMessage('m_done') })
      .effects(),
  ).toContainEqual(deleted)
  expect(temporary().on({ type: 'chat-closed' }).effects()).toContainEqual(deleted)
  const left = temporary().on({ type: 'page-left' })
  expect(left.effects()).toEqual([deleted])
  expect(left.on({ type: 'page-left' }).effects()).toEqual([])
})

test('a temporary answer that is lost is an error, since no session stores it', () => {
  const chat = new Chat().on(submit({ isTemporary: true })).report(begun(), { type: 'answer-rejected', code: 'not_found' })
  expect(chat.answer).toMatchObject({ status: 'rejected', retry: { prompt: 'a prompt', id: 'm_prompt' } })
})

test('an answer that is repeated and breaks off can be asked for again', () => {
  const chat = CHATS.repeating().report({ type: 'turn-accepted', turn: TURN })
  expect(chat.state.work).toMatchObject({ kind: 'following', retry: { turn: TURN, how: 'retry' } })
})

test('an answer that begins again can be asked for again', () => {
  const chat = CHATS.repeating().report(begun({ turn: 't_new' }))
  expect(chat.state.work).toMatchObject({ kind: 'following', retry: { turn: 't_new', how: 'retry' } })
})
