import type { SearchReply } from '../../contract/chat/search.ts'
import type { MessagePage } from '../../contract/chat/sessions.ts'
import { requestJson } from './request.ts'

const MESSAGES_A_PAGE = 50

const sessionAt = (key: string) => `/api/v1/sessions/${encodeURIComponent(key)}`

/** The messages before those that are loaded. */
export const fetchEarlier = (key: string, before: string) =>
  requestJson<MessagePage>(`${sessionAt(key)}/messages?limit=${MESSAGES_A_PAGE}&before=${before}`)

export const searchChats = (query: string, cursor: string, signal: AbortSignal) =>
  requestJson<SearchReply>(`/api/v1/search?q=${encodeURIComponent(query)}${cursor && `&cursor=${cursor}`}`, { signal })
