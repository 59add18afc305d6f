import type { StoredFile } from '../../contract/chat/files.ts'
import { type Outcome, request, requestJson } from './request.ts'

interface SendFileOptions {
  isShared: boolean
  signal: AbortSignal
}

/** Uploads a file for a prompt. Rejects when the signal aborts. */
export function sendFile(name: string, content: Blob, { isShared, signal }: SendFileOptions): Promise<Outcome<StoredFile>> {
  const query = new URLSearchParams({ name, ...(isShared && { device: 'shared' }) })
  return requestJson(`/api/v1/files?${query}`, { method: 'POST', body: content, signal })
}

export const fileAddress = (id: string) => `/api/v1/files/${id}`

/** Deletes a file that no prompt has used. */
export const deleteFile = (id: string) => request(fileAddress(id), { method: 'DELETE' })
