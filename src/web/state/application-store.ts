import { create } from 'zustand'
import type { SessionSummary } from '../../contract/chat/sessions.ts'
import type { ChatEvent } from './chat-machine/chat-event.ts'
import { type ChatSession, isAnswerPending } from './chat-session.ts'
import { dropDraft } from './drafts.ts'
import { type LoadedList, withFirstPage, withNextPage, withSession } from './session-list.ts'

/** The visitor's decision about the privacy notice. `awaited`: open, and a prompt in the message box is sent on acceptance. */
export type Consent = 'open' | 'awaited' | 'declined' | 'accepted'

/** The state from which the flags are derived. */
interface Source {
  hasInit: boolean
  consent: Consent
  isNoticeOpen: boolean
  /** How often the visitor asked for the notice that is open; 0 if it opened by itself. */
  noticeRequests: number
  /** Nothing is stored in this browser beyond the tab. */
  isSharedComputer: boolean
  /** Whether the next prompt begins a temporary chat. */
  beginsTemporary: boolean
  session: ChatSession | null
  list: LoadedList & { isLoading: boolean }
  /** The open chat's and the list's: each ends for itself. */
  connections: Record<Connected, Connection>
}

type Connected = 'chat' | 'list'

/** `restoring` while the server can't be reached; or until when it rejects requests, in milliseconds since the epoch. */
type Connection = 'live' | 'restoring' | { limitedUntil: number }

export type ApplicationState = ReturnType<typeof flagsOf>

const NO_SESSIONS: Source['list'] = { sessions: [], next: null, isLoading: false }

const NOTICE_CLOSED = { isNoticeOpen: false, noticeRequests: 0 }

let source: Source = {
  hasInit: false,
  consent: 'open',
  ...NOTICE_CLOSED,
  isSharedComputer: false,
  beginsTemporary: false,
  session: null,
  list: NO_SESSIONS,
  connections: { chat: 'live', list: 'live' },
}

function flagsOf({ isNoticeOpen, beginsTemporary, session, list, connections, ...same }: Source) {
  return {
    ...same,
    connection: connections.chat === 'live' ? connections.list : connections.chat,
    isSendingChat: isAnswerPending(session),
    isFetchingChatSession: list.isLoading,
    acceptsPrivacyPolicy: same.consent === 'accepted',
    privacyNoticeDialog: isNoticeOpen,
    /** The open chat, or the one that the next prompt begins, is not listed, and is deleted when it is left. */
    isTemporary: session ? session.isTemporary === true : beginsTemporary,
    currentSession: session,
    chatSessions: list.sessions,
    /** Cursor of the next page of sessions; `null` if all are loaded. */
    nextSessions: list.next,
  }
}

export const useApplication = create<ApplicationState>(() => flagsOf(source))

function set(change: Partial<Source>): void {
  source = { ...source, ...change }
  useApplication.setState(flagsOf(source))
}

const setConnection = (of: Connected, connection: Connection) => set({ connections: { ...source.connections, [of]: connection } })

function setList(change: (list: LoadedList) => LoadedList, isLoading = source.list.isLoading): void {
  set({ list: { ...change(source.list), isLoading } })
}

/** Passes an event to the chat machine, once that is loaded. Without it no chat is open. */
export const chatEvents = { dispatch(_event: ChatEvent): void {} }

/** Every change of the application's state outside the chat machine, by name. */
export const changes = {
  initialized: () => set({ hasInit: true }),

  /** The notice opens by itself. An earlier one that was accepted no longer counts. */
  noticeOffered: () => set({ isNoticeOpen: true, consent: source.consent === 'accepted' ? 'open' : source.consent }),
  noticeOpened: () => set({ isNoticeOpen: true, noticeRequests: source.noticeRequests + 1 }),
  /** A prompt that waits for the decision stays in the message box. */
  noticeClosed: () => set({ ...NOTICE_CLOSED, consent: source.consent === 'awaited' ? 'open' : source.consent }),
  /** The visitor sends a prompt before the decision: it waits in the message box. */
  promptHeld(): void {
    if (source.consent !== 'accepted') set({ consent: 'awaited', isNoticeOpen: true, noticeRequests: source.noticeRequests + 1 })
  },
  temporaryChanged: (beginsTemporary: boolean) => set({ beginsTemporary }),
  sharedComputerChanged: (isSharedComputer: boolean) => set({ isSharedComputer }),
  policyAccepted: () => set({ ...NOTICE_CLOSED, consent: 'accepted' }),
  policyDeclined(): void {
    set({ ...NOTICE_CLOSED, consent: 'declined', list: { ...NO_SESSIONS, isLoading: source.list.isLoading } })
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
  connectionLost: (of: Connected, limitedForS?: number) =>
    setConnection(of, limitedForS ? { limitedUntil: Date.now() + limitedForS * 1000 } : 'restoring'),
  connectionRestored: (of: Connected) => setConnection(of, 'live'),

  /** The chat machine has another state. A chat that is open has used up the choice of a temporary one. */
  chatChanged: (session: ChatSession | null) => set({ session, ...(session && { beginsTemporary: false }) }),
}
