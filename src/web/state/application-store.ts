import { create } from 'zustand'
import type { ChatMessage } from '../../contract/message.ts'
import type { SessionDetail, SessionSummary } from '../../contract/sessions.ts'
import type { FailureCode } from '../api/failure.ts'

/** What a retry does: send a prompt again that was not accepted, as far as the page knows, or ask for a new answer to one that was. */
export type Retry = Unsent | { turn: string }

/** A prompt on its way. `id` is its message's: the server takes what comes twice with it for one. */
export type Unsent = { prompt: string; id: string }

/** Where the open chat's answer stands. An answer that ended badly says so itself, in its metadata. */
export type Answer =
  | { status: 'none' }
  | { status: 'opening' }
  | { status: 'unavailable'; code: FailureCode }
  | { status: 'sending' }
  | { status: 'answering'; turn: string | undefined; message: ChatMessage; connection: 'live' | 'reconnecting' }
  | { status: 'refused'; code: FailureCode; retry: Retry }

export interface ChatSession {
  /** 21 letters and digits; made here, and replaced by the server's with its first reply. */
  key: string
  title: string
  messages: ChatMessage[]
  answer: Answer
}

export interface ApplicationState {
  hasInit: boolean
  isSendingChat: boolean
  isFetchingChatSession: boolean
  acceptsPrivacyPolicy: boolean
  privacyNoticeDialog: boolean
  currentSession: ChatSession | null
  chatSessions: SessionSummary[]
}

export const useApplication = create<ApplicationState>(() => ({
  hasInit: false,
  isSendingChat: false,
  isFetchingChatSession: false,
  acceptsPrivacyPolicy: false,
  privacyNoticeDialog: false,
  currentSession: null,
  chatSessions: [],
}))

const set = useApplication.setState
const get = useApplication.getState

/** Changes the open session, if it is still the one with `key`: a late reply never writes into another chat. */
function changeSession(key: string, change: (session: ChatSession) => Partial<ChatSession>): void {
  set(({ currentSession: session }) => (session?.key === key ? { currentSession: { ...session, ...change(session) } } : {}))
}

/** Every change of the application's state, by name. */
export const changes = {
  initialized: () => set({ hasInit: true }),

  noticeOpened: () => set({ privacyNoticeDialog: true }),
  noticeClosed: () => set({ privacyNoticeDialog: false }),
  policyAccepted: () => set({ acceptsPrivacyPolicy: true }),
  policyDeclined: () => set({ acceptsPrivacyPolicy: false, isSendingChat: false, currentSession: null, chatSessions: [] }),

  sessionsRequested: () => set({ isFetchingChatSession: true }),
  sessionsReceived: (chatSessions: SessionSummary[]) => set({ chatSessions, isFetchingChatSession: false }),
  sessionsFailed: () => set({ isFetchingChatSession: false }),

  sessionClosed: () => set({ currentSession: null, isSendingChat: false }),
  sessionRequested: (key: string, known: ChatSession | null) =>
    set({ isSendingChat: false, currentSession: { key, title: '', messages: [], ...known, answer: { status: 'opening' } } }),
  sessionReceived: ({ key, title, messages }: SessionDetail) => changeSession(key, () => ({ title, messages, answer: { status: 'none' } })),
  sessionUnavailable: (key: string, code: FailureCode) => changeSession(key, () => ({ answer: { status: 'unavailable', code } })),

  /** Appends the visitor's message to the session whose key matches; if none does, a new session begins with it. */
  promptAppended(key: string, message: ChatMessage, title: string): void {
    const { currentSession } = get()
    const session = currentSession?.key === key ? currentSession : { key, title, messages: [] }
    set({ isSendingChat: true, currentSession: { ...session, messages: [...session.messages, message], answer: { status: 'sending' } } })
  },
  /** The last message is asked again: the answer that failed goes, the prompt stays. */
  answerRequested(key: string): void {
    changeSession(key, ({ messages }) => ({ messages: withoutLastAnswer(messages), answer: { status: 'sending' } }))
    set({ isSendingChat: true })
  },
  answerProgressed(key: string, turn: string | undefined, message: ChatMessage): void {
    changeSession(key, ({ answer }) => {
      const connection = answer.status === 'answering' ? answer.connection : 'live'
      return { answer: { status: 'answering', turn, message, connection } }
    })
  },
  connectionChanged(key: string, connection: 'live' | 'reconnecting'): void {
    changeSession(key, ({ answer }) => (answer.status === 'answering' ? { answer: { ...answer, connection } } : {}))
  },
  answerAppended(key: string, message: ChatMessage): void {
    changeSession(key, ({ messages }) => ({ messages: [...messages, message], answer: { status: 'none' } }))
    set({ isSendingChat: false })
  },
  answerRefused(key: string, code: FailureCode, retry: Retry): void {
    changeSession(key, () => ({ answer: { status: 'refused', code, retry } }))
    set({ isSendingChat: false })
  },
  /** The prompt of a refused send goes back to its writer: its message leaves the chat. */
  promptWithdrawn(key: string): void {
    changeSession(key, ({ messages }) => ({ messages: messages.slice(0, -1), answer: { status: 'none' } }))
  },
  keyReplaced: (key: string, replacement: string) => changeSession(key, () => ({ key: replacement })),
}

function withoutLastAnswer(messages: ChatMessage[]): ChatMessage[] {
  return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages
}
