import type { z } from 'zod'
import type { AnswerAgain } from '../../contract/chat/page-context.ts'
import type { SendPromptBody } from '../../contract/chat/chat.ts'
import type { ApprovalDecisions } from '../../contract/chat/approval.ts'
import type { PrivacyNotice, PublicConfiguration } from '../../contract/config.ts'
import type { SessionDetail, SessionList, Turn, TurnEvents } from '../../contract/chat/sessions.ts'
import type { ErasureReply } from '../../contract/rights.ts'
import { embedName } from './embedded.ts'
import { pageLanguage } from './page-language.ts'
import { type Outcome, request, requestJson } from './request.ts'

const API = '/api/v1'
type Headers = Record<string, string>

const EVENT_STREAM = { Accept: 'text/event-stream' }

export const fetchConfiguration = (language: string) =>
  requestJson<PublicConfiguration>(`${API}/config?language=${language}${embedName ? `&embed=${embedName}` : ''}`)

export const fetchPrivacyNotice = (language: string) => requestJson<PrivacyNotice>(`${API}/privacy-notice?language=${language}`)

/** Withdraws what lets staff read. The request continues if the page is closed. */
export const withdrawNotices = () => requestJson<unknown>(`${API}/me/accepted-notices`, { method: 'DELETE', keepalive: true })

/** Page sizes: a few screens of sessions, and of messages when a session is opened. */
const SESSIONS_A_PAGE = 50
const FIRST_MESSAGES = 30

/** The first page of the visitor's sessions, or the page at `cursor`. */
export const fetchSessions = (cursor = '') =>
  requestJson<SessionList>(`${API}/sessions?limit=${SESSIONS_A_PAGE}${cursor && `&cursor=${cursor}`}`)

export const fetchSession = (key: string, signal?: AbortSignal) =>
  requestJson<SessionDetail>(`${API}/sessions/${encodeURIComponent(key)}?limit=${FIRST_MESSAGES}`, { signal })

/** Deletes a session permanently. The request continues if the page is closed. */
export const deleteSession = (key: string) =>
  requestJson<ErasureReply>(`${API}/sessions/${encodeURIComponent(key)}`, { method: 'DELETE', keepalive: true })

export type ChatOptions = Pick<z.input<typeof SendPromptBody>, 'temporary' | 'history' | 'device' | 'acceptedNotice'>

/** Sends a prompt to an agent; the response is the stream of its answer. `id` is the idempotency key. */
export function sendPrompt(
  agent: string,
  session: string,
  { id, ...prompt }: { prompt: string; id: string; edits?: string; attachments?: string[] },
  options: ChatOptions,
  signal: AbortSignal,
  headers?: Headers,
): Promise<Outcome<Response>> {
  const path = `${API}/agent/chat/${encodeURIComponent(agent)}?session_id=${encodeURIComponent(session)}`
  return request(path, {
    method: 'POST',
    body: { ...prompt, ...options },
    headers: { ...EVENT_STREAM, ...pageLanguage(), 'Idempotency-Key': id, ...headers },
    signal,
  })
}

/** The stream of a turn's answer: events after `lastEventId`, then live ones. */
export function followTurn(turn: string, lastEventId: string, signal: AbortSignal): Promise<Outcome<Response>> {
  const headers = lastEventId ? { ...EVENT_STREAM, 'Last-Event-ID': lastEventId } : EVENT_STREAM
  return request(`${API}/turns/${turn}/stream`, { headers, signal })
}

/** A turn's events after `after`. Long-polls for up to 20 s. */
export const fetchTurnEvents = (turn: string, after: string, signal: AbortSignal) =>
  requestJson<TurnEvents>(`${API}/turns/${turn}/events?after=${after}`, { signal })

/** Streams changes of the visitor's list of sessions. */
export const followSessions = (signal: AbortSignal) => request(`${API}/me/events`, { headers: EVENT_STREAM, signal })

export const stopTurn = (turn: string) => requestJson<Turn>(`${API}/turns/${turn}/stop`, { method: 'POST', body: {} })

/** Answers a turn again: from the start, from where it stopped, or after the visitor's decision on its tools. */
export type TurnAction =
  | { turn: string; how: 'retry' | 'continue'; body?: never }
  | { turn: string; how: 'approve'; body: ApprovalDecisions }

/** Retries or continues a turn; returns the new turn. */
export const repeatTurn = ({ turn, how, body }: TurnAction, headers?: Headers, context?: AnswerAgain) =>
  requestJson<Turn>(`${API}/turns/${turn}/${how}`, {
    method: 'POST',
    body: { ...body, ...context },
    headers: { ...pageLanguage(), ...headers },
  })
