import { create } from 'zustand'
import { type ChatMessage, type Feedback, textOf } from '../../contract/message.ts'
import { filesOf } from '../../contract/parts/file.ts'
import type { MessagePage, SessionDetail, SessionSummary } from '../../contract/sessions.ts'
import type { Again } from '../api/calls.ts'
import type { FailureCode } from '../api/failure.ts'
import { dropDraft } from './drafts.ts'
import { withFeedbackOf, withNewest } from './message-window.ts'
import { type LoadedList, withFirstPage, withNextPage, withSession } from './session-list.ts'

/**
 * A way on: send a prompt again that was not accepted, as far as the page knows; or answer one that was, anew, from where it broke off,
 * or from where its tools asked the visitor.
 */
export type Retry = Unsent | Again

/** A prompt on its way, another version of the prompt `edits` if there is one. What comes twice with an `id`, the server takes for one. */
export type Unsent = { prompt: string; id: string; edits?: string; attachments?: string[] }

/** Where the open chat's answer stands. An answer that ended badly says so itself, in its metadata. */
export type Answer =
  | { status: 'none' }
  | { status: 'opening' }
  | { status: 'unavailable'; code: FailureCode }
  /** `checked`: how far the work is that the server wants to see first, from 0 to 1. `place`: in the queue, from 1, while it waits there. */
  | { status: 'sending'; unsent: Unsent | null; checked?: number; place?: number }
  | { status: 'answering'; turn: string | undefined; message: ChatMessage; connection: 'live' | 'reconnecting' }
  /** `retryAt`: from when on the server will listen, milliseconds since the epoch. */
  | { status: 'refused'; code: FailureCode; retry: Retry; retryAt?: number | undefined }

export interface ChatSession {
  /** 21 letters and digits; made here, and replaced by the server's with its first reply. */
  key: string
  title: string
  messages: ChatMessage[]
  /** Asks for the messages before these; none where these are all. */
  earlier?: string | null
  answer: Answer
  /** The server's `updatedAt` of what is shown. */
  updatedAt?: string
  /** Thumbs given here: those that the server has not answered yet, and how often it has. */
  votes?: Votes
}

export interface Votes {
  open: number
  answered: number
}

const NO_VOTES: Votes = { open: 0, answered: 0 }

export interface ApplicationState {
  hasInit: boolean
  isSendingChat: boolean
  isFetchingChatSession: boolean
  acceptsPrivacyPolicy: boolean
  privacyNoticeDialog: boolean
  /** Nothing is kept in this browser, and everything goes with the tab. */
  isSharedComputer: boolean
  /** The open chat, or the one that the next prompt begins, is listed nowhere and goes when it is left. */
  isTemporary: boolean
  currentSession: ChatSession | null
  /** What is loaded of the visitor's sessions. */
  chatSessions: SessionSummary[]
  /** Asks for more of them; null when that is all. */
  nextSessions: string | null
  /** `restoring` while the server can't be reached, and is tried again; or until when it will not listen, having been asked too much, ms since the epoch. */
  connection: 'live' | 'restoring' | { limitedUntil: number }
}

export const useApplication = create<ApplicationState>(() => ({
  hasInit: false,
  isSendingChat: false,
  isFetchingChatSession: false,
  acceptsPrivacyPolicy: false,
  privacyNoticeDialog: false,
  isSharedComputer: false,
  isTemporary: false,
  currentSession: null,
  chatSessions: [],
  nextSessions: null,
  connection: 'live',
}))

const set = useApplication.setState
const get = useApplication.getState

/** Changes the open session, if it is still the one with `key`: a late reply never writes into another chat. */
function changeSession(key: string, change: (session: ChatSession) => Partial<ChatSession>): void {
  set(({ currentSession: session }) => (session?.key === key ? { currentSession: { ...session, ...change(session) } } : {}))
}

function changeList(change: (loaded: LoadedList) => LoadedList): void {
  set(({ chatSessions, nextSessions }) => {
    const { sessions, next } = change({ sessions: chatSessions, next: nextSessions })
    return { chatSessions: sessions, nextSessions: next }
  })
}

/** Every change of the application's state, by name. */
export const changes = {
  initialized: () => set({ hasInit: true }),

  noticeOpened: () => set({ privacyNoticeDialog: true }),
  noticeClosed: () => set({ privacyNoticeDialog: false }),
  temporaryChanged: (isTemporary: boolean) => set({ isTemporary }),
  sharedComputerChanged: (isSharedComputer: boolean) => set({ isSharedComputer }),
  policyAccepted: () => set({ acceptsPrivacyPolicy: true }),
  policyDeclined: () =>
    set({ acceptsPrivacyPolicy: false, isSendingChat: false, currentSession: null, chatSessions: [], nextSessions: null }),

  sessionsRequested: () => set({ isFetchingChatSession: true }),
  sessionsReceived(first: LoadedList): void {
    changeList((loaded) => withFirstPage(loaded, first))
    set({ isFetchingChatSession: false })
  },
  moreSessionsReceived: (page: LoadedList) => changeList((loaded) => withNextPage(loaded, page)),
  sessionsFailed: () => set({ isFetchingChatSession: false }),

  /** A session as in the list: a new one, or a newer state of a known one. */
  sessionChanged(session: SessionSummary): void {
    changeList((loaded) => withSession(loaded, session))
    changeSession(session.key, () => ({ title: session.title }))
  },
  sessionDeleted(gone: string): void {
    // Of the open chat, which was deleted elsewhere, what was typed stays before its writer.
    if (get().currentSession?.key !== gone) dropDraft(gone)
    set(({ chatSessions }) => ({ chatSessions: chatSessions.filter(({ key }) => key !== gone) }))
  },
  connectionLost: (limitedForS?: number) =>
    set({ connection: limitedForS ? { limitedUntil: Date.now() + limitedForS * 1000 } : 'restoring' }),
  connectionRestored: () => set({ connection: 'live' }),

  sessionClosed: () => set({ currentSession: null, isSendingChat: false, isTemporary: false }),
  /** Opens a session with what is known of it, which may hold an answer that was being written. */
  sessionRequested: (key: string, known: ChatSession | null) =>
    set({
      isSendingChat: known?.answer.status === 'answering',
      isTemporary: false,
      currentSession: known ?? { key, title: '', messages: [], answer: { status: 'opening' } },
    }),
  /**
   * Shows a session as the server has it. What is shown already stays in its place, the answer that is being written too, and thumbs that
   * the server may not have known of when it was asked, with `votes` as they were.
   */
  sessionReceived({ key, title, messages: received, earlier, updatedAt, runningTurn }: SessionDetail, votes = NO_VOTES): void {
    changeSession(key, (shown) => {
      const { open, answered } = shown.votes ?? NO_VOTES
      const messages = open > 0 || answered !== votes.answered ? withFeedbackOf(shown.messages, received) : received
      const isShown = shown.answer.status === 'answering' && shown.answer.turn === runningTurn
      const growing: Answer = { status: 'answering', turn: runningTurn ?? undefined, message: NOTHING_YET, connection: 'live' }
      const answer: Answer = !runningTurn ? { status: 'none' } : isShown ? shown.answer : growing
      return {
        title,
        updatedAt,
        ...withNewest({ messages: shown.messages, earlier: shown.earlier ?? null }, { messages, earlier }),
        answer,
      }
    })
    if (get().currentSession?.key === key) set({ isSendingChat: runningTurn !== null })
  },
  /** What `before` asked for, unless that is no longer what stands before the messages that are shown. */
  earlierReceived: (key: string, before: string, { messages, earlier }: MessagePage) =>
    changeSession(key, (shown) => (shown.earlier === before ? { messages: [...messages, ...shown.messages], earlier } : {})),
  sessionUnavailable(key: string, code: FailureCode): void {
    changeSession(key, () => ({ answer: { status: 'unavailable', code } }))
    if (get().currentSession?.key === key) set({ isSendingChat: false })
  },

  /** Appends the visitor's message to the session whose key matches; if none does, a new session begins with it. */
  promptAppended(key: string, message: ChatMessage, title: string): void {
    const { currentSession } = get()
    const session = currentSession?.key === key ? currentSession : { key, title, messages: [] }
    const answer: Answer = { status: 'sending', unsent: unsentOf(message) }
    set({ isSendingChat: true, currentSession: { ...session, messages: [...session.messages, message], answer } })
  },
  /** Another version begins after the first `count` messages that are shown: with an edited prompt, or with another answer. */
  branchBegun(key: string, count: number, edited?: { message: ChatMessage; unsent: Unsent }): void {
    changeSession(key, ({ messages }) => ({
      messages: [...messages.slice(0, count), ...(edited ? [edited.message] : [])],
      answer: { status: 'sending', unsent: edited?.unsent ?? null },
    }))
    set({ isSendingChat: true })
  },
  /** The last prompt is stored; the server calls it by this id. */
  promptStored(key: string, id: string): void {
    changeSession(key, ({ messages }) => {
      const index = messages.findLastIndex(({ role }) => role === 'user')
      const prompt = messages[index]
      return prompt && prompt.id !== id ? { messages: messages.with(index, { ...prompt, id }) } : {}
    })
  },
  /** The server is being told of a thumb. */
  voteBegun: (key: string) => changeSession(key, ({ votes = NO_VOTES }) => ({ votes: { ...votes, open: votes.open + 1 } })),
  voteAnswered: (key: string) =>
    changeSession(key, ({ votes = NO_VOTES }) => ({ votes: { open: votes.open - 1, answered: votes.answered + 1 } })),
  feedbackGiven(key: string, id: string, feedback: Feedback | null): void {
    changeSession(key, ({ messages }) => ({
      messages: messages.map((message) => {
        if (message.id !== id) return message
        const { feedback: _before, ...metadata } = message.metadata ?? {}
        return { ...message, metadata: { ...metadata, ...(feedback && { feedback }) } }
      }),
    }))
  },
  /** The last prompt is sent or answered again: what was answered goes, or stays to be gone on with. */
  answerRequested(key: string, what: Retry): void {
    const unsent = 'prompt' in what ? what : null
    const keepsAnswer = 'turn' in what && what.how !== 'retry'
    changeSession(key, ({ messages }) => ({
      messages: keepsAnswer ? messages : withoutLastAnswer(messages),
      answer: { status: 'sending', unsent },
    }))
    set({ isSendingChat: true })
  },
  checkProgressed(key: string, checked: number): void {
    changeSession(key, ({ answer }) => (answer.status === 'sending' ? { answer: { ...answer, checked } } : {}))
  },
  placeChanged(key: string, place: number): void {
    changeSession(key, ({ answer }) => (answer.status === 'sending' ? { answer: { ...answer, place } } : {}))
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
  answerRefused(key: string, code: FailureCode, retry: Retry, retryAt?: number): void {
    changeSession(key, () => ({ answer: { status: 'refused', code, retry, retryAt } }))
    set({ isSendingChat: false })
  },
  /** The prompt of a refused send goes back to its writer: its message leaves the chat. */
  promptWithdrawn(key: string): void {
    changeSession(key, ({ messages }) => ({ messages: messages.slice(0, -1), answer: { status: 'none' } }))
    set({ isSendingChat: false })
  },
  keyReplaced: (key: string, replacement: string) => changeSession(key, () => ({ key: replacement })),
}

/** The prompt of the last message, while the server is not known to have it. */
export function unsentPrompt({ answer }: ChatSession): string | null {
  if (answer.status === 'sending') return answer.unsent?.prompt ?? null
  return answer.status === 'refused' && 'prompt' in answer.retry ? answer.retry.prompt : null
}

/** How a message is sent, under its own id. */
export function unsentOf(message: ChatMessage): Unsent {
  // The last part of a file's address is its id.
  const attachments = filesOf(message).map(({ url }) => url.split('/').at(-1) ?? '')
  return { prompt: textOf(message), id: message.id, ...(attachments.length > 0 && { attachments }) }
}

/** An answer of which nothing is written yet. */
export const NOTHING_YET: ChatMessage = { id: '', role: 'assistant', parts: [] }

/** What follows the last prompt, which is more than one message when an answer was gone on with. */
function withoutLastAnswer(messages: ChatMessage[]): ChatMessage[] {
  return messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1)
}
