import { expect, test } from 'vitest'
import { answerMessage, sessionOf, userMessage } from '../../../test/support/chat-states.ts'
import { type Answer, currentAnswerId, EMPTY_ANSWER } from './chat-session.ts'

const SENDING: Answer = { status: 'sending', unsent: null }
const answering = (message = EMPTY_ANSWER): Answer => ({ status: 'answering', turn: 't', message, connection: 'live' })
const asked = { messages: [userMessage('m_1')] }
const answered = { messages: [userMessage('m_1'), answerMessage('m_2')] }

test('the current answer is the one that streams, or that the change has ended, even if it was never shown streaming', () => {
  const streaming = sessionOf({ ...asked, answer: answering(answerMessage('m_2')) })
  expect(currentAnswerId(streaming, null)).toBe('m_2')
  for (const answer of [SENDING, answering()]) expect(currentAnswerId(sessionOf(answered), sessionOf({ ...asked, answer }))).toBe('m_2')
})

test('there is none in a chat that was opened, after a prompt without an answer, and before the first chunk', () => {
  const pending = sessionOf({ ...asked, answer: SENDING })
  expect(currentAnswerId(sessionOf(answered), null)).toBe('')
  expect(currentAnswerId(sessionOf({ ...answered, key: 'other' }), pending)).toBe('')
  expect(currentAnswerId(sessionOf(asked), pending)).toBe('')
  expect(currentAnswerId(sessionOf({ ...asked, answer: answering() }), pending)).toBe('')
})
