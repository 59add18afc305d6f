import { expect, test } from 'vitest'
import {
  ANSWER,
  answerMessage,
  Chat,
  CHATS,
  detailOf,
  FILE,
  KEY,
  open,
  OTHER_KEY,
  QUESTION,
  sessionOf,
  submit,
  text,
  TURN,
  userMessage,
} from '../../../../test/support/chat-states.ts'

const listed = (change: object = {}) => ({
  type: 'session-listed' as const,
  key: KEY,
  updatedAt: '2026-02-02',
  runningTurn: null,
  ...change,
})

test('opening a session shows it as opening, and fetches it', () => {
  const chat = new Chat().on(open())
  expect(chat.state.session).toEqual({ key: KEY, title: '', messages: [], answer: { status: 'opening' } })
  expect(chat.effects()).toEqual([
    { type: 'abandon-work' },
    { type: 'report-connection', isLost: false },
    { type: 'fetch-session', key: KEY },
  ])
})

test('opening a stored session shows it at once, with its agent', () => {
  const cached = sessionOf({ answer: { status: 'opening' } })
  const chat = new Chat().on({ type: 'session-opened', key: KEY, cached, agent: 'cook' })
  expect(chat.state.session).toBe(cached)
  expect(chat.effects()).toContainEqual({ type: 'choose-agent', agent: 'cook' })
})

test('opening another session saves the unsent prompt of the one that is left', () => {
  const chat = CHATS.rejectedPrompt().settled()
  const left = chat.state.session!
  chat.on({ type: 'session-opened', key: OTHER_KEY, cached: null, agent: undefined })
  expect(chat.effects()[0]).toEqual({ type: 'save-unsent', session: left })
  expect(chat.state.session?.key).toBe(OTHER_KEY)
})

test('closing saves the unsent prompt; withdrawing consent does not', () => {
  const closed = CHATS.rejectedPrompt().settled().on({ type: 'chat-closed' })
  expect(closed.state.session).toBeNull()
  expect(closed.effects().map(({ type }) => type)).toEqual(['save-unsent', 'abandon-work', 'report-connection'])
  const withdrawn = CHATS.rejectedPrompt().settled().on({ type: 'consent-withdrawn' })
  expect(withdrawn.state.session).toBeNull()
  expect(withdrawn.effects().map(({ type }) => type)).toEqual(['abandon-work', 'report-connection'])
})

test('a received session is shown and stored, and the connection is live', () => {
  const chat = CHATS.opening().settled().report({ type: 'session-received', session: detailOf() })
  expect(chat.state.session).toEqual(sessionOf())
  expect(chat.state.work).toEqual({ kind: 'idle' })
  expect(chat.effects()).toEqual([
    { type: 'report-connection', isLost: false },
    { type: 'choose-agent', agent: 'me' },
    { type: 'store-session' },
  ])
})

test('a received session with a running turn is followed', () => {
  const chat = CHATS.opening()
    .settled()
    .report({ type: 'session-received', session: detailOf({ runningTurn: TURN }) })
  expect(chat.answer).toMatchObject({ status: 'answering', turn: TURN, message: { id: '' }, connection: 'live' })
  expect(chat.effects().at(-1)).toEqual({ type: 'follow-turn', turn: TURN })
})

test('a stored streaming answer stays shown while its turn runs, and is replaced by another turn', () => {
  const same = CHATS.cached().report({ type: 'session-received', session: detailOf({ runningTurn: TURN }) })
  expect(same.answer).toMatchObject({ status: 'answering', message: { id: 'm_streaming' } })
  const other = CHATS.cached().report({ type: 'session-received', session: detailOf({ runningTurn: 't_2' }) })
  expect(other.answer).toMatchObject({ status: 'answering', turn: 't_2', message: { id: '' } })
  const ended = CHATS.cached().report({ type: 'session-received', session: detailOf() })
  expect(ended.answer).toEqual({ status: 'none' })
})

test('a stop that is requested while the session loads stops its running turn', () => {
  const chat = CHATS.cached().on({ type: 'stop-requested' }).settled()
  chat.report({ type: 'session-received', session: detailOf({ runningTurn: TURN }) })
  expect(chat.effects()).toContainEqual({ type: 'stop-turn', turn: TURN })
})

test('an empty session that can’t be fetched is unavailable, and is fetched again after a pause', () => {
  const chat = CHATS.opening().settled().report({ type: 'session-failed', code: 'too_many_requests', isFinal: false, limitedForS: 9 })
  expect(chat.answer).toEqual({ status: 'unavailable', code: 'too_many_requests' })
  expect(chat.effects()).toEqual([
    { type: 'report-connection', isLost: true, limitedForS: 9 },
    { type: 'fetch-session', key: KEY, pause: { failures: 0, leastS: 9 } },
  ])
  chat.report({ type: 'session-failed', code: 'network', isFinal: false })
  expect(chat.effects().at(-1)).toMatchObject({ pause: { failures: 1 } })
})

test('a session with messages stays as it is while it can’t be fetched', () => {
  const chat = CHATS.cached()
  const { session } = chat.state
  chat.report({ type: 'session-failed', code: 'network', isFinal: false })
  expect(chat.state.session).toEqual(session)
})

test('a session that does not exist is unavailable permanently', () => {
  const chat = CHATS.cached().settled().report({ type: 'session-failed', code: 'not_found', isFinal: true })
  expect(chat.answer).toEqual({ status: 'unavailable', code: 'not_found' })
  expect([chat.state.work, chat.effects()]).toEqual([{ kind: 'idle' }, []])
})

test('changes in the list reload the open session; known ones do not', () => {
  const known = sessionOf().updatedAt!
  expect(
    CHATS.settled()
      .settled()
      .on(listed({ updatedAt: known }))
      .effects(),
  ).toEqual([])
  expect(
    CHATS.settled()
      .settled()
      .on(listed({ runningTurn: 't_0' }))
      .effects(),
  ).toEqual([])
  for (const news of [listed(), listed({ updatedAt: known, runningTurn: TURN })])
    expect(CHATS.settled().settled().on(news).effects()).toContainEqual({ type: 'fetch-session', key: KEY })
})

test('earlier messages are added before the loaded ones', () => {
  const page = { messages: [userMessage('m_first')], earlier: 'more' }
  const event = { type: 'earlier-received' as const, key: KEY, before: 'cursor', page }
  const chat = CHATS.opening().report({ type: 'session-received', session: detailOf({ earlier: 'cursor' }) })
  expect(chat.on(event).state.session).toMatchObject({ messages: [{ id: 'm_first' }, QUESTION, ANSWER], earlier: 'more' })
  // Requested twice.
  expect(chat.on(event).state.session?.messages).toHaveLength(3)
})

test('feedback is shown at once, and can be taken back', () => {
  const chat = CHATS.settled().on({ type: 'feedback-given', key: KEY, id: 'm_answer', feedback: { thumb: 'up' } })
  expect(chat.state.session).toMatchObject({ messages: [{}, { metadata: { feedback: { thumb: 'up' } } }] })
  chat.on({ type: 'feedback-given', key: KEY, id: 'm_answer', feedback: null })
  expect(chat.state.session?.messages).toEqual([QUESTION, ANSWER])
})

test('feedback can be given on a message that has nothing but its text', () => {
  const bare = { id: 'm_bare', role: 'assistant' as const, parts: [text('an answer')] }
  const chat = CHATS.opening().report({ type: 'session-received', session: detailOf({ messages: [QUESTION, bare] }) })
  chat.on({ type: 'feedback-given', key: KEY, id: 'm_bare', feedback: { thumb: 'down' } })
  expect(chat.state.session?.messages[1]).toEqual({ ...bare, metadata: { feedback: { thumb: 'down' } } })
})

test('feedback stays while an older reply arrives, and is the server’s after that', () => {
  const give = { type: 'feedback-given' as const, key: KEY, id: 'm_answer', feedback: { thumb: 'up' as const } }
  const thumbOf = (chat: Chat) => chat.state.session?.messages[1]?.metadata?.feedback?.thumb
  const pending = CHATS.opening().report({ type: 'session-received', session: detailOf() }).on(listed(), give)
  expect(thumbOf(pending.report({ type: 'session-received', session: detailOf() }))).toBe('up')
  const since = CHATS.settled().on(give, listed())
  expect(thumbOf(since.report({ type: 'session-received', session: detailOf() }))).toBeUndefined()
})

test('the session is reloaded once another version is chosen', () => {
  const chat = CHATS.settled().settled().on({ type: 'version-chosen', message: 'm_other' })
  expect(chat.effects()).toEqual([{ type: 'choose-version', key: KEY, message: 'm_other' }])
  expect(chat.on({ type: 'version-settled', key: KEY }).effects()).toContainEqual({ type: 'fetch-session', key: KEY })
})

test('a withdrawn prompt returns to the message box with its files', () => {
  const chat = CHATS.settled()
    .on(submit({ files: [FILE] }))
    .report({ type: 'answer-rejected', code: 'internal' })
    .settled()
    .on({ type: 'prompt-withdrawn' })
  expect(chat.state.session).toMatchObject({ messages: [QUESTION, ANSWER], answer: { status: 'none' } })
  expect(chat.effects()).toEqual([
    {
      type: 'restore-draft',
      key: KEY,
      unsent: { prompt: 'a prompt', id: 'm_prompt', attachments: ['f_1'] },
      message: { id: 'm_prompt', role: 'user', parts: [FILE, text('a prompt')] },
    },
  ])
})

test('a withdrawn prompt loses files that the server no longer has', () => {
  const chat = CHATS.settled()
    .on(submit({ files: [FILE] }))
    .report({ type: 'answer-rejected', code: 'file_unknown' })
    .settled()
    .on({ type: 'prompt-withdrawn' })
  expect(chat.effects()).toMatchObject([{ type: 'restore-draft', message: undefined }])
})

test('a withdrawn edit shows the original again', () => {
  const edit = { type: 'edit-submitted' as const, id: 'm_edit', edits: 'm_question', prompt: 'edited' }
  const chat = CHATS.settled().on(edit).report({ type: 'answer-rejected', code: 'internal' }).settled().on({ type: 'prompt-withdrawn' })
  expect(chat.effects().map(({ type }) => type)).toEqual(['restore-draft', 'abandon-work', 'report-connection', 'fetch-session'])
})

test('a rename changes the title alone', () => {
  const chat = CHATS.settled().on({ type: 'session-renamed', key: KEY, title: 'renamed' })
  expect(chat.state.session).toEqual(sessionOf({ title: 'renamed' }))
})

test('opening or leaving a chat cancels its work', () => {
  for (const event of [open(), { type: 'chat-closed' as const }, { type: 'consent-withdrawn' as const }]) {
    const chat = CHATS.answering()
    const { workId } = chat.state
    chat.on(event)
    expect(chat.state.workId).toBeGreaterThan(workId)
    expect(chat.on({ type: 'answer-ended', message: answerMessage('m_late'), workId }).state.session?.messages ?? []).toEqual([])
  }
  expect(new Chat().on(submit()).state.workId).toBe(1)
})

test('nothing is under way once a prompt is withdrawn, or its chat is closed', () => {
  const chat = CHATS.rejectedPrompt()
  expect(chat.on({ type: 'prompt-withdrawn' }).state.work).toEqual({ kind: 'idle' })
  expect(CHATS.answering().on({ type: 'chat-closed' }).state.work).toEqual({ kind: 'idle' })
})
