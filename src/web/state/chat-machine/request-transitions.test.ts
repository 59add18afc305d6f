import { expect, test } from 'vitest'
import {
  ANSWER,
  answerMessage,
  begun,
  Chat,
  CHATS,
  detailOf,
  FILE,
  KEY,
  open,
  QUESTION,
  submit,
  text,
  TURN,
} from '../../../../test/support/chat-states.ts'

const UNSENT = { prompt: 'a prompt', id: 'm_prompt' }
const POST = { type: 'post-prompt', key: KEY, unsent: UNSENT, isTemporary: false, failures: 0 }
const typesOf = (chat: Chat) => chat.effects().map(({ type }) => type)

test('the first prompt begins a session, moves the draft and is sent', () => {
  const chat = new Chat().on(submit({ prompt: 'x'.repeat(500) }))
  expect(chat.state.session?.title.length).toBeLessThan(500)
  expect(chat.state.session).toMatchObject({
    key: KEY,
    messages: [{ id: 'm_prompt', role: 'user' }],
    answer: { status: 'sending', unsent: { id: 'm_prompt' } },
  })
  expect(chat.effects().slice(-2)).toMatchObject([
    { type: 'move-draft', from: '', to: KEY },
    { type: 'post-prompt', key: KEY },
  ])
})

test('a prompt in an open session is appended to it', () => {
  const chat = CHATS.settled()
    .settled()
    .on(submit({ key: 'unused' }))
  expect(chat.state.session?.messages).toEqual([QUESTION, ANSWER, { id: 'm_prompt', role: 'user', parts: [text('a prompt')] }])
  expect(chat.effects()).toEqual([{ type: 'abandon-work' }, { type: 'report-connection', isLost: false }, POST])
})

test('a prompt is sent with its files', () => {
  const chat = CHATS.settled()
    .settled()
    .on(submit({ files: [FILE] }))
  expect(chat.effects().at(-1)).toEqual({ ...POST, unsent: { ...UNSENT, attachments: ['f_1'] } })
})

test('an edited prompt replaces the messages that follow, and keeps its files', () => {
  const prompt = { ...QUESTION, parts: [FILE, text('a question')] }
  const chat = CHATS.opening().report({ type: 'session-received', session: detailOf({ messages: [prompt, ANSWER] }) })
  chat.on({ type: 'edit-submitted', id: 'm_edit', edits: 'm_question', prompt: 'edited' })
  expect(chat.state.session?.messages).toEqual([{ id: 'm_edit', role: 'user', parts: [FILE, text('edited')] }])
  expect(chat.answer).toMatchObject({ status: 'sending', unsent: { id: 'm_edit', prompt: 'edited', edits: 'm_question' } })
})

test('an answer is regenerated after its prompt', () => {
  const chat = CHATS.settled().settled().on({ type: 'regenerate-requested', id: 'm_id', answer: 'm_answer' })
  expect(chat.state.session).toMatchObject({ messages: [QUESTION], answer: { status: 'sending', unsent: null } })
  expect(chat.effects().at(-1)).toEqual({ type: 'regenerate-answer', key: KEY, answer: 'm_answer', id: 'm_id' })
})

test('no version is created of a message that is not shown', () => {
  const chat = CHATS.settled().settled()
  chat.on({ type: 'regenerate-requested', id: 'm_id', answer: 'm_gone' })
  chat.on({ type: 'edit-submitted', id: 'm_id', edits: 'm_gone', prompt: 'edited' })
  expect(chat.effects()).toEqual([])
})

test('a version that can’t be created is an error, and the session stays as it is', () => {
  const chat = CHATS.settled().on({ type: 'regenerate-requested', id: 'm_id', answer: 'm_answer' }).settled()
  chat.report({ type: 'answer-rejected', code: 'too_many_requests' })
  expect(chat.effects()).toContainEqual({ type: 'show-error', code: 'too_many_requests' })
  expect(chat.state.work.kind).toBe('loading')
})

test('a retried answer is removed, a continued one stays', () => {
  const retried = CHATS.settled().on({ type: 'retry-requested', id: 'm_id', retry: { turn: 't_0', how: 'retry' } })
  expect(retried.state.session?.messages).toEqual([QUESTION])
  const continued = CHATS.settled()
    .settled()
    .on({ type: 'retry-requested', id: 'm_id', retry: { turn: 't_0', how: 'continue' } })
  expect(continued.state.session?.messages).toEqual([QUESTION, ANSWER])
  expect(continued.effects().at(-1)).toEqual({ type: 'repeat-turn', again: { turn: 't_0', how: 'continue' } })
})

test('a prompt is retried under its own id; in a temporary chat, a turn’s prompt is resent', () => {
  const retry = { type: 'retry-requested' as const, id: 'm_id', retry: UNSENT }
  expect(CHATS.rejectedPrompt().settled().on(retry).effects().at(-1)).toEqual(POST)
  const temporary = new Chat().on(submit({ isTemporary: true })).report(begun(), { type: 'answer-ended', message: answerMessage('m_done') })
  temporary.settled().on({ ...retry, retry: { turn: TURN, how: 'retry' } })
  expect(temporary.effects().at(-1)).toMatchObject({ type: 'post-prompt', unsent: { prompt: 'a prompt', id: 'm_id' }, isTemporary: true })
})

test('a session is not fetched again after the answer to a prompt that was retried', () => {
  const chat = CHATS.rejectedPrompt().on({ type: 'retry-requested', id: 'm_id', retry: UNSENT }).report(begun()).settled()
  expect(typesOf(chat.report({ type: 'answer-ended', message: answerMessage('m_done') }))).not.toContain('fetch-session')
})

test('an accepted turn is followed, and begins as an empty answer', () => {
  const chat = CHATS.repeating().settled().report({ type: 'turn-accepted', turn: TURN })
  expect(chat.answer).toEqual({ status: 'answering', turn: TURN, message: { id: '', role: 'assistant', parts: [] }, connection: 'live' })
  expect(chat.effects()).toEqual([{ type: 'follow-turn', turn: TURN }])
})

test('a turn that ended elsewhere shows the session; another failure is shown', () => {
  for (const code of ['session_busy', 'not_retryable', 'approval_gone'] as const)
    expect(CHATS.repeating().report({ type: 'answer-rejected', code }).state.work.kind).toBe('loading')
  const failed = CHATS.repeating().report({ type: 'answer-rejected', code: 'too_many_requests', retryAt: 5 })
  expect(failed.answer).toEqual({ status: 'rejected', code: 'too_many_requests', retry: { turn: 't_0', how: 'retry' }, retryAt: 5 })
})

test.each(['network', 'no_reply'] as const)('a prompt without a reply (%s) is sent three times', (code) => {
  const chat = CHATS.sending().settled()
  for (const failures of [1, 2]) {
    chat.report({ type: 'answer-rejected', code })
    expect(chat.effects()).toEqual([{ ...POST, failures }])
  }
  chat.report({ type: 'answer-rejected', code })
  expect(chat.answer).toEqual({ status: 'rejected', code, retry: UNSENT, retryAt: undefined })
  expect(chat.effects()).toEqual([{ type: 'report-rejected', code }])
})

test('a prompt whose files the server no longer has is refused at once', () => {
  const chat = CHATS.settled()
    .on(submit({ files: [FILE] }))
    .settled()
    .report({ type: 'answer-rejected', code: 'file_unknown' })
  expect(chat.effects()).toEqual([{ type: 'report-rejected', code: 'file_unknown' }])
  expect(chat.answer).toMatchObject({ status: 'rejected', code: 'file_unknown' })
})

test('a prompt that meets a running answer returns to the message box, and the answer is shown', () => {
  const chat = CHATS.sending().settled().report({ type: 'answer-rejected', code: 'session_busy' })
  expect(chat.state.session?.messages).toEqual([QUESTION, ANSWER])
  expect(typesOf(chat)).toEqual(['restore-draft', 'abandon-work', 'report-connection', 'fetch-session'])
})

test('a proof of work is shown', () => {
  expect(CHATS.sending().report({ type: 'proof-required' }).answer).toMatchObject({ status: 'sending', isProving: true })
})

test('stopping a chat that is being loaded does nothing until its running answer is known', () => {
  const chat = CHATS.opening().settled().on({ type: 'stop-requested' })
  expect(chat.effects()).toEqual([])
  chat.report({ type: 'session-received', session: detailOf({ runningTurn: TURN }) })
  expect(chat.effects()).toContainEqual({ type: 'stop-turn', turn: TURN })
})

test('a stop during the proof of work returns the prompt; without a stop, a failed proof is an error', () => {
  const rejection = { type: 'answer-rejected' as const, code: 'proof_of_work_required' as const, isChallenged: true }
  const stopped = CHATS.sending().on({ type: 'stop-requested' }).settled().report(rejection)
  expect(typesOf(stopped)).toEqual(['restore-draft'])
  expect(CHATS.sending().report(rejection).answer).toMatchObject({ status: 'rejected', code: 'proof_of_work_required' })
})

test('a stop before the turn is known stops the turn when it is', () => {
  const prompt = CHATS.sending().on({ type: 'stop-requested' }).settled().report(begun())
  expect(prompt.effects()).toContainEqual({ type: 'stop-turn', turn: TURN })
  const repeated = CHATS.repeating().on({ type: 'stop-requested' }).settled().report({ type: 'turn-accepted', turn: TURN })
  expect(repeated.effects()).toContainEqual({ type: 'stop-turn', turn: TURN })
})

test('stopping a streaming answer stops its turn', () => {
  expect(CHATS.answering().settled().on({ type: 'stop-requested' }).effects()).toEqual([{ type: 'stop-turn', turn: TURN }])
})

test('a prompt is sent while its session opens, and cancels the loading', () => {
  const chat = new Chat().on(open())
  const { workId } = chat.state
  chat.on(submit()).on({ type: 'session-received', session: detailOf(), workId })
  expect(chat.answer).toMatchObject({ status: 'sending' })
})
