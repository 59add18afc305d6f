import { create } from 'zustand'
import type { SessionSummary } from '../../contract/sessions.ts'
import type { ChatEvent } from './chat-machine/chat-event.ts'
import { type ChatSession, isAnswerPending } from './chat-session.ts'
import { dropDraft } from './drafts.ts'
import { type LoadedList, withFirstPage, withNextPage, withSession } from './session-list.ts'

export interface ApplicationState {
  hasInit: boolean
  isSendingChat: boolean
  isFetchingChatSession: boolean
  acceptsPrivacyPolicy: boolean
  privacyNoticeDialog: boolean
  /** Nothing is stored in this browser beyond the tab. */
  isSharedComputer: boolean
  /** The open chat, or the one that the next prompt begins, is not listed, and is deleted when it is left. */
  isTemporary: boolean
  currentSession: ChatSession | null
  /** The visitor's sessions, as far as they are loaded. */
  chatSessions: SessionSummary[]
  /** Cursor of the next page of sessions; `null` if all are loaded. */
  nextSessions: string | null
  /** `restoring` while the server can't be reached; or until when it rejects requests, in milliseconds since the epoch. */
  connection: 'live' | 'restoring' | { limitedUntil: number }
}

/** What the flags are derived from. */
interface Source {
  hasInit: boolean
  consent: 'open' | 'accepted'
  isNoticeOpen: boolean
  isSharedComputer: boolean
  /** Whether the next prompt begins a temporary chat. */
  beginsTemporary: boolean
  /** The open chat, as the chat machine has it. */
  session: ChatSession | null
  list: LoadedList & { isLoading: boolean }
  connection: ApplicationState['connection']
}

const NO_SESSIONS: Source['list'] = { sessions: [], next: null, isLoading: false }

let source: Source = {
  hasInit: false,
  consent: 'open',
  isNoticeOpen: false,
  isSharedComputer: false,
  beginsTemporary: false,
  session: null,
  list: NO_SESSIONS,
  connection: 'live',
}

function flagsOf({
  hasInit,
  consent,
  isNoticeOpen,
  isSharedComputer,
  beginsTemporary,
  session,
  list,
  connection,
}: Source): ApplicationState {
  return {
    hasInit,
    isSendingChat: isAnswerPending(session),
    isFetchingChatSession: list.isLoading,
    acceptsPrivacyPolicy: consent === 'accepted',
    privacyNoticeDialog: isNoticeOpen,
    isSharedComputer,
    isTemporary: session ? session.isTemporary === true : beginsTemporary,
    currentSession: session,
    chatSessions: list.sessions,
    nextSessions: list.next,
    connection,
  }
}

export const useApplication = create<ApplicationState>(() => flagsOf(source))

function set(change: Partial<Source>): void {
  source = { ...source, ...change }
  useApplication.setState(flagsOf(source))
}

function setList(change: (list: LoadedList) => LoadedList, isLoading = source.list.isLoading): void {
  set({ list: { ...change(source.list), isLoading } })
}

/** Passes an event to the chat machine, once that is loaded. Without it no chat is open. */
export const chatEvents = { dispatch(_event: ChatEvent): void {} }

/** Every change of the application's state outside the chat machine, by name. */
export const changes = {
  initialized: () => set({ hasInit: true }),

  noticeOpened: () => set({ isNoticeOpen: true }),
  noticeClosed: () => set({ isNoticeOpen: false }),
  temporaryChanged: (beginsTemporary: boolean) => set({ beginsTemporary }),
  sharedComputerChanged: (isSharedComputer: boolean) => set({ isSharedComputer }),
  policyAccepted: () => set({ consent: 'accepted' }),
  policyDeclined(): void {
    set({ consent: 'open', list: { ...NO_SESSIONS, isLoading: source.list.isLoading } })
    chatEvents.dispatch({ type: 'consent-withdrawn' })
  },

  sessionsRequested: () => setList((list) => list, true),
  sessionsReceived: (first: LoadedList) => setList((list) => withFirstPage(list, first), false),
  moreSessionsReceived: (page: LoadedList) => setList((list) => withNextPage(list, page)),
  sessionsFailed: () => setList((list) => list, false),

  /** A session in the list: a new one, or a newer state of a known one. */
  sessionChanged(session: SessionSummary): void {
    setList((list) => withSession(list, session))
    chatEvents.dispatch({ type: 'session-renamed', key: session.key, title: session.title })
  },
  sessionDeleted(deleted: string): void {
    // The draft of the open chat, which was deleted elsewhere, stays in the message box.
    if (source.session?.key !== deleted) dropDraft(deleted)
    setList(({ sessions, next }) => ({ sessions: sessions.filter(({ key }) => key !== deleted), next }))
  },
  connectionLost: (limitedForS?: number) =>
    set({ connection: limitedForS ? { limitedUntil: Date.now() + limitedForS * 1000 } : 'restoring' }),
  connectionRestored: () => set({ connection: 'live' }),

  /** The chat machine has another state. A chat that is open has used up the choice of a temporary one. */
  chatChanged: (session: ChatSession | null) => set({ session, ...(session && { beginsTemporary: false }) }),
}
