import type { NewShare, Share, SharedChat, ShareList } from '../../contract/chat/shares.ts'
import type { z } from 'zod'
import { requestJson } from './request.ts'

/** Creates a link to the chat as it is now. */
export const makeShare = (session: string, body: z.infer<typeof NewShare>) =>
  requestJson<Share>(`/api/v1/sessions/${encodeURIComponent(session)}/shares`, { method: 'POST', body })

export const fetchShares = () => requestJson<ShareList>('/api/v1/shares')

export const revokeShare = (id: string) => requestJson<unknown>(`/api/v1/shares/${encodeURIComponent(id)}`, { method: 'DELETE' })

export const fetchSharedChat = (id: string, signal: AbortSignal) =>
  requestJson<SharedChat>(`/api/v1/shared/${encodeURIComponent(id)}`, { signal })
