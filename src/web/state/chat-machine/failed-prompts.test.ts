import { expect, test } from 'vitest'
import { ANSWER, answerMessage, begun, Chat, CHATS, detailOf, FILE, KEY, QUESTION, submit } from '../../../../test/support/chat-states.ts'

const FIRST = { message: { id: 'm_prompt' }, code: 'internal', after: ANSWER.id }

/** A refused prompt and one that follows it. */
const followed = (refused: Chat = CHATS.rejectedPrompt()) => refused.settled().on(submit({ id: 'm_next', prompt: 'the next one' }))

const ids = (chat: Chat) => chat.state.session?.messages.map(({ id }) => id)

test('a refused prompt stays at its place when another one is sent, also after that is answered and the session is fetched', () => {
  const chat = followed()
  expect(ids(chat)).toEqual([QUESTION.id, ANSWER.id, 'm_next'])
  expect(chat.state.session?.failed).toMatchObject([FIRST])
  chat.report(begun({ promptId: 'm_stored' }), { type: 'answer-ended', message: answerMessage('m_second') })
  expect(chat.state.session?.failed).toMatchObject([FIRST])
  chat.on({ type: 'session-listed', key: KEY, updatedAt: 'later', runningTurn: null })
  chat.report({ type: 'session-received', session: detailOf({ updatedAt: 'later' }) })
  expect([ids(chat), chat.state.session?.failed]).toMatchObject([[QUESTION.id, ANSWER.id], [FIRST]])
})

test('a refused prompt that others follow keeps the time from which it is accepted', () => {
  const refused = CHATS.settled().on(submit()).report({ type: 'answer-rejected', code: 'too_many_prompts', retryAt: 5 })
  expect(followed(refused).state.session?.failed).toMatchObject([{ code: 'too_many_prompts', retryAt: 5 }])
})

test('several refused prompts stay in their order, each with its reason', () => {
  const chat = followed().report({ type: 'answer-rejected', code: 'network' }, { type: 'answer-rejected', code: 'too_many_requests' })
  chat.on(submit({ id: 'm_third' }))
  expect(chat.state.session?.failed?.map(({ unsent, after }) => [unsent.id, after])).toEqual([
    ['m_prompt', ANSWER.id],
    ['m_next', ANSWER.id],
  ])
})

test('retrying a failed prompt moves it to the end and sends it again; a refused one at the end takes its place', () => {
  const chat = followed().report({ type: 'answer-rejected', code: 'internal' })
  const { unsent } = chat.state.session!.failed![0]!
  chat.settled().on({ type: 'retry-requested', id: 'm_unused', retry: unsent })
  expect(ids(chat)).toEqual([QUESTION.id, ANSWER.id, 'm_prompt'])
  expect(chat.state.session?.failed).toMatchObject([{ message: { id: 'm_next' } }])
  expect(chat.effects().at(-1)).toMatchObject({ type: 'post-prompt', key: KEY, unsent: { id: 'm_prompt' } })
})

test('a failed prompt can’t be retried during an answer', () => {
  const chat = followed()
  const before = chat.state
  expect(chat.on({ type: 'retry-requested', id: 'm_unused', retry: before.session!.failed![0]!.unsent }).state).toBe(before)
})

test('a withdrawn failed prompt returns to the message box with its files, and the answer continues', () => {
  const chat = followed(
    CHATS.settled()
      .on(submit({ files: [FILE] }))
      .report({ type: 'answer-rejected', code: 'internal' }),
  ).settled()
  chat.on({ type: 'prompt-withdrawn', id: 'm_other' })
  expect(chat.effects()).toEqual([])
  chat.on({ type: 'prompt-withdrawn', id: 'm_prompt' })
  expect(chat.effects()).toMatchObject([
    { type: 'restore-draft', key: KEY, unsent: { id: 'm_prompt' }, message: { parts: [FILE, { type: 'text' }] } },
  ])
  expect(chat.state.session).toMatchObject({ failed: [], answer: { status: 'sending' } })
})

test('the refused edit of a prompt is not kept, because the original is', () => {
  const edit = { type: 'edit-submitted' as const, id: 'm_edit', edits: QUESTION.id, prompt: 'edited' }
  const chat = followed(CHATS.settled().on(edit).report({ type: 'answer-rejected', code: 'internal' }))
  expect(chat.state.session?.failed).toBeUndefined()
})

test('a refused prompt that began the chat stays first', () => {
  const chat = new Chat()
    .on(submit())
    .report({ type: 'answer-rejected', code: 'internal' })
    .on(submit({ id: 'm_next' }))
  expect(chat.state.session?.failed?.map(({ after }) => after)).toEqual([null])
})

test('a failed prompt that is withdrawn loses files that the server no longer has', () => {
  const refused = CHATS.settled()
    .on(submit({ files: [FILE] }))
    .report({ type: 'answer-rejected', code: 'file_unknown' })
  const chat = followed(refused).report({ type: 'answer-rejected', code: 'internal' }).settled()
  const { id } = chat.state.session!.failed![0]!.unsent
  expect(chat.on({ type: 'prompt-withdrawn', id }).effects()).toMatchObject([{ type: 'restore-draft', unsent: { id }, message: undefined }])
})
