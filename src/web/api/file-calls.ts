import { onAbort } from '../../async/abort.ts'
import type { StoredFile } from '../../contract/chat/files.ts'
import { EMBEDDED_HEADERS } from './embedded.ts'
import { loadSentences } from './failure.ts'
import { type Failed, type Outcome, request } from './request.ts'

/** The server waits 9 s for a file. */
const TIMEOUT_MS = 30_000

interface SendFileOptions {
  isShared: boolean
  /** Progress from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

/** Uploads a file for a prompt. Uses XMLHttpRequest, because fetch reports no upload progress. Rejects when the signal aborts. */
export function sendFile(name: string, content: Blob, { isShared, onProgress, signal }: SendFileOptions): Promise<Outcome<StoredFile>> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    const query = new URLSearchParams({ name, ...(isShared && { device: 'shared' }) })
    call.open('POST', `/api/v1/files?${query}`)
    call.responseType = 'json'
    call.timeout = TIMEOUT_MS
    for (const [header, value] of Object.entries({ 'Content-Type': 'application/octet-stream', ...EMBEDDED_HEADERS })) {
      call.setRequestHeader(header, value)
    }
    call.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(1, total)))
    call.addEventListener('load', () => {
      if (call.status === 200) return resolve({ ok: true, value: call.response as StoredFile })
      const failed: Failed = { code: 'internal', ...(call.response as Partial<Failed> | null), ok: false }
      return resolve(loadSentences().then(() => failed))
    })
    call.addEventListener('error', () => resolve({ ok: false, code: navigator.onLine ? 'network' : 'offline' }))
    call.addEventListener('timeout', () => resolve({ ok: false, code: 'no_reply' }))
    call.addEventListener('abort', () => reject(signal.reason as Error))
    onAbort(signal, () => call.abort())
    call.send(content)
  })
}

export const fileAddress = (id: string) => `/api/v1/files/${id}`

/** Deletes a file that no prompt has used. */
export const deleteFile = (id: string) => request(fileAddress(id), { method: 'DELETE' })
