import type { MessagePage, SessionDescription, SessionSummary } from '../../contract/sessions.ts'
import { MESSAGES_A_PAGE } from './calls.ts'
import { requestJson } from './request.ts'

const sessionAt = (key: string) => `/api/v1/sessions/${encodeURIComponent(key)}`

/** Renames or pins a session. */
export const describeSession = (key: string, body: SessionDescription) =>
  requestJson<SessionSummary>(sessionAt(key), { method: 'PATCH', body })

/** The messages before those that are there. */
export const fetchEarlier = (key: string, before: string) =>
  requestJson<MessagePage>(`${sessionAt(key)}/messages?limit=${MESSAGES_A_PAGE}&before=${before}`)
