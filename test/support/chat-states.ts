import type { ChatMessage } from '../../src/contract/chat/message.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { ChatEffect } from '../../src/web/state/chat-machine/chat-effect.ts'
import type { ChatEvent, WorkReport } from '../../src/web/state/chat-machine/chat-event.ts'
import { type ChatState, INITIAL_CHAT } from '../../src/web/state/chat-machine/chat-state.ts'
import { reduceChat } from '../../src/web/state/chat-machine/reduce-chat.ts'
import type { Answer, ChatSession } from '../../src/web/state/chat-session.ts'

export const KEY = 'session-a'
export const OTHER_KEY = 'session-b'
export const TURN = 't_1'

export const text = (words: string) => ({ type: 'text' as const, text: words })
export const FILE = { type: 'file' as const, mediaType: 'text/plain', filename: 'a.txt', url: '/api/v1/files/f_1' }

export const userMessage = (id: string, words = 'a question'): ChatMessage => ({ id, role: 'user', parts: [text(words)] })
export const answerMessage = (id: string, words = 'an answer', metadata: ChatMessage['metadata'] = {}): ChatMessage => ({
  id,
  role: 'assistant',
  parts: [text(words)],
  metadata,
})

export const QUESTION = userMessage('m_question')
export const ANSWER = answerMessage('m_answer', 'an answer', { turnId: 't_0' })

export const sessionOf = (change: Partial<ChatSession> = {}): ChatSession => ({
  key: KEY,
  title: 'a question',
  messages: [QUESTION, ANSWER],
  earlier: null,
  answer: { status: 'none' },
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...change,
})

export const detailOf = (change: Partial<SessionDetail> = {}): SessionDetail => ({
  key: KEY,
  title: 'a question',
  agent: 'me',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
  runningTurn: null,
  messages: [QUESTION, ANSWER],
  earlier: null,
  ...change,
})

/** A chat to dispatch events to: its state, and the effects since the last call of `effects`. */
export class Chat {
  state: ChatState
  #effects: ChatEffect[] = []

  constructor(state: ChatState = INITIAL_CHAT) {
    this.state = state
  }

  on(...events: ChatEvent[]): this {
    for (const event of events) {
      const { state, effects } = reduceChat(this.state, event)
      this.state = state
      this.#effects.push(...effects)
    }
    return this
  }

  /** A report from an effect of the current work. */
  report(...events: WorkReport[]): this {
    for (const event of events) this.on({ ...event, workId: this.state.workId })
    return this
  }

  get answer(): Answer | undefined {
    return this.state.session?.answer
  }

  /** Effects since the last call. */
  effects(): ChatEffect[] {
    return this.#effects.splice(0)
  }

  /** Discards the effects so far. */
  settled(): this {
    this.#effects = []
    return this
  }
}

export const submit = (change: Partial<Extract<ChatEvent, { type: 'prompt-submitted' }>> = {}): ChatEvent => ({
  type: 'prompt-submitted',
  key: KEY,
  id: 'm_prompt',
  prompt: 'a prompt',
  files: [],
  isTemporary: false,
  ...change,
})

export const open = (cached: ChatSession | null = null, key = KEY): ChatEvent => ({ type: 'session-opened', key, cached, agent: undefined })

export const begun = (change: Partial<Extract<WorkReport, { type: 'answer-begun' }>> = {}): WorkReport => ({
  type: 'answer-begun',
  turn: TURN,
  promptId: 'm_stored',
  sessionId: KEY,
  ...change,
})

const REFUSED: WorkReport = { type: 'answer-rejected', code: 'internal' }

export type StateName =
  | 'closed'
  | 'opening'
  | 'cached'
  | 'unavailable'
  | 'settled'
  | 'sending'
  | 'repeating'
  | 'answering'
  | 'rejectedPrompt'
  | 'refusedTurn'

/** A chat in each of its states. */
export const CHATS: Record<StateName, () => Chat> = {
  closed: () => new Chat(),
  opening: () => new Chat().on(open()),
  /** Reloaded during an answer. */
  cached: () =>
    new Chat().on(
      open(sessionOf({ answer: { status: 'answering', turn: TURN, message: answerMessage('m_streaming', 'an'), connection: 'live' } })),
    ),
  unavailable: () => CHATS.opening().report({ type: 'session-failed', code: 'not_found', isFinal: true }),
  settled: () => CHATS.opening().report({ type: 'session-received', session: detailOf() }),
  sending: () => CHATS.settled().on(submit()),
  repeating: () => CHATS.settled().on({ type: 'retry-requested', id: 'm_new', retry: { turn: 't_0', how: 'retry' } }),
  answering: () => CHATS.sending().report(begun(), { type: 'answer-progressed', message: answerMessage('m_streaming', 'an') }),
  rejectedPrompt: () => CHATS.sending().report(REFUSED),
  refusedTurn: () => CHATS.repeating().report(REFUSED),
}
