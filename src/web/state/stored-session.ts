import type { ChatMessage } from '../../contract/message.ts'
import { useApplication } from './application-store.ts'
import { type ChatSession, unsentIn } from './chat-session.ts'
import { useConfiguration } from './configuration.ts'
import { tabStorage } from '../storage/storage.ts'

const SESSION_KEY = 'chat-session'
const KEPT_KEY = 'chat-kept'

interface Stored {
  key: string
  title: string
  messages: ChatMessage[]
  earlier?: string | null
  /** Whose chat it is. */
  agent?: string | undefined
  /** The answer that was being written. */
  growing?: { turn: string | undefined; message: ChatMessage } | undefined
}

/** Keeps the open session for this tab, so that a reload shows it at once; without a prompt that the server may not have. */
export function storeSession(session: ChatSession): void {
  const { key, title, messages, earlier = null, answer } = session
  const growing = answer.status === 'answering' ? { turn: answer.turn, message: answer.message } : undefined
  const sent = unsentIn(session) ? messages.slice(0, -1) : messages
  const agent = useConfiguration.getState()?.agent.id
  store(SESSION_KEY, { key, title, messages: sent, earlier, agent, growing } satisfies Stored)
}

/** The stored session, if it is the one with `key`, with as much of its answer as was shown. */
export function readStoredSession(key: string): ChatSession | null {
  const session = read(SESSION_KEY) as Stored | null
  if (session?.key !== key || !Array.isArray(session.messages)) return null
  const { title, messages, earlier = null, growing } = session
  return {
    key,
    title,
    messages,
    earlier,
    answer: growing ? { status: 'answering', ...growing, connection: 'live' } : { status: 'opening' },
  }
}

/** The agent of the stored session, if it is the one with `key`: a prompt may be sent before the server has said it. */
export function readStoredAgent(key: string): string | undefined {
  const session = read(SESSION_KEY) as Stored | null
  return session?.key === key ? session.agent : undefined
}

/** Where the reader was: the first message in view and how far down it began, in CSS pixels; null at the end. */
export type Place = { message: number; top: number } | null

/** What belongs to the tab beside its session. */
export interface Kept {
  /** Of which session the place is. */
  session: string | undefined
  place: Place
}

export const storeKept = (kept: Kept) => store(KEPT_KEY, kept)

export const readKept = () => read(KEPT_KEY) as Kept | null

export function forgetStoredSession(): void {
  tabStorage.removeItem(SESSION_KEY)
  tabStorage.removeItem(KEPT_KEY)
}

/** Storage that is full or refused only costs what it would have kept. Of a temporary chat and on a shared computer nothing is kept. */
function store(key: string, value: unknown): void {
  const { isTemporary, isSharedComputer } = useApplication.getState()
  if (isTemporary || isSharedComputer) return
  try {
    tabStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    console.error(error)
    tabStorage.removeItem(key)
  }
}

function read(key: string): unknown {
  try {
    return JSON.parse(tabStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
