import { expect, test } from 'vitest'
import type { ChatMessage, ChatMessagePart } from '../../../../contract/message.ts'
import type { Answer, ChatSession } from '../../../state/chat-session.ts'
import { SpokenAnswer } from './spoken-answer.ts'

const message = (role: 'user' | 'assistant', text: string, id: string = role, ...parts: ChatMessagePart[]): ChatMessage => ({
  id,
  role,
  parts: [{ type: 'text', text }, ...parts],
})
const PROMPT = message('user', 'Hi')
const SENDING: Answer = { status: 'sending', unsent: null }
const NONE: Answer = { status: 'none' }
const answering = (text: string): Answer => ({ status: 'answering', turn: 't', message: message('assistant', text), connection: 'live' })
const session = (answer: Answer, messages: ChatMessage[] = [PROMPT], key = 'one'): ChatSession => ({ key, title: '', messages, answer })

/** The events of a chat that is shown in these states, one after another. */
function eventsOf(...states: (ChatSession | null)[]) {
  const answer = new SpokenAnswer()
  return states.slice(1).map((state, index) => answer.read(state, states[index] ?? null))
}
const written = (...sentences: string[]) => ({ type: 'sentences-written', sentences })
const LEFT = [{ type: 'ended', reason: 'page' }]

test('an answer is spoken sentence by sentence as it arrives, and each sentence once', () => {
  const done = session(NONE, [PROMPT, message('assistant', 'One. Two. Three.')])
  expect(
    eventsOf(
      session(NONE),
      session(SENDING),
      session(answering('One. Tw')),
      session(answering('One. Two. Th')),
      session(answering('One. Two. Thr')),
      done,
      session(NONE, [...done.messages]),
    ),
  ).toEqual([[{ type: 'answer-begun' }], [written('One.')], [written('Two.')], [], [written('Three.'), { type: 'answer-ended' }], []])
})

test('an answer that was not seen while it was written is spoken whole', () => {
  const done = session(NONE, [PROMPT, message('assistant', 'One. Two.')])
  expect(eventsOf(session(SENDING), done)).toEqual([[written('One.', 'Two.'), { type: 'answer-ended' }]])
})

test('a prompt that ends without an answer only ends', () => {
  expect(eventsOf(session(SENDING), session(NONE))).toEqual([[{ type: 'answer-ended' }]])
})

test('a new chat keeps the conversation while it gets its key; another chat ends it', () => {
  const begins = [null, session(SENDING), session(answering('One. T'), [PROMPT], 'two')]
  expect(eventsOf(...begins)).toEqual([[{ type: 'answer-begun' }], [written('One.')]])
  expect(eventsOf(session(NONE), session(NONE, [PROMPT], 'two'))).toEqual([LEFT])
  expect(eventsOf(session(NONE), session({ status: 'opening' }, [], 'two'))).toEqual([LEFT])
  expect(eventsOf(session(SENDING), session({ status: 'opening' }, [], 'two'))).toEqual([LEFT])
  expect(eventsOf(session(NONE), session(SENDING, [PROMPT], 'two'))).toEqual([LEFT])
  expect(eventsOf(session(NONE), null)).toEqual([LEFT])
})

test('a failed answer and one that needs a decision end the conversation', () => {
  const rejected: Answer = { status: 'rejected', code: 'network', retry: { prompt: 'Hi', id: 'user' } }
  expect(eventsOf(session(SENDING), session(rejected))).toEqual([LEFT])
  expect(eventsOf(session(rejected), session(rejected, [PROMPT, PROMPT]))).toEqual([[]])
  const request = { type: 'dynamic-tool', toolName: 'pay', toolCallId: 'c', state: 'approval-requested', input: {}, approval: { id: 'a' } }
  const asks = message('assistant', 'May I pay?', 'assistant', request as ChatMessagePart)
  expect(eventsOf(session(SENDING), session(NONE, [PROMPT, asks]))).toEqual([[written('May I pay?'), ...LEFT]])
})
