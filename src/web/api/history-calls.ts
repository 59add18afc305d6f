import type { SearchReply } from '../../contract/search.ts'
import type { MessagePage, SessionDescription, SessionSummary } from '../../contract/sessions.ts'
import { requestJson } from './request.ts'

/** So many messages come at a time. */
const MESSAGES_A_PAGE = 50

const sessionAt = (key: string) => `/api/v1/sessions/${encodeURIComponent(key)}`

/** Renames or pins a session. */
export const describeSession = (key: string, body: SessionDescription) =>
  requestJson<SessionSummary>(sessionAt(key), { method: 'PATCH', body })

/** The messages before those that are there. */
export const fetchEarlier = (key: string, before: string) =>
  requestJson<MessagePage>(`${sessionAt(key)}/messages?limit=${MESSAGES_A_PAGE}&before=${before}`)

/** The messages before those that are there, back to one of them. */
export const fetchEarlierUntil = (key: string, before: string, message: string) =>
  requestJson<MessagePage>(`${sessionAt(key)}/messages?before=${before}&until=${encodeURIComponent(message)}`)

/** Shows the version of a session that a message is of. */
export const showVersionOf = (key: string, message: string) =>
  requestJson<SessionSummary>(`${sessionAt(key)}/branch`, { method: 'POST', body: { message } })

/** The chats in which words are found; `cursor` asks for more of them. */
export const searchChats = (query: string, cursor: string, signal: AbortSignal) =>
  requestJson<SearchReply>(`/api/v1/search?q=${encodeURIComponent(query)}${cursor && `&cursor=${cursor}`}`, { signal })
