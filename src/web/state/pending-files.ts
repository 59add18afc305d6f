import type { FilePart } from '../../contract/parts/file.ts'
import { useApplication } from './application-store.ts'

/** A file that the page holds in its memory: the server does not have it yet, or will not have it for long. */
export interface PendingFile {
  name: string
  content: Blob
  /** A `data:` URL. */
  thumbnail?: string | undefined
}

/** Begins the address of a file that the server does not have yet, and is its id in a prompt. */
const LOCAL = 'local:'
const MAX_PENDING_BYTES = 32 * 1024 * 1024

/** By the ids by which prompts name them. */
const pendingFiles = new Map<string, PendingFile>()

useApplication.subscribe(({ acceptsPrivacyPolicy, isTemporary }, before) => {
  if (!acceptsPrivacyPolicy) pendingFiles.clear()
  if (before.isTemporary && !isTemporary) for (const id of pendingFiles.keys()) if (!isLocal(id)) pendingFiles.delete(id)
})

/** Whether a file's id, or address, is of one that the server does not have yet. */
export const isLocal = (id: string): boolean => id.startsWith(LOCAL)

/** Holds a file that is named by an id of the server's, or by its own; whether there was room for it. */
export function addPendingFile(id: string, file: PendingFile): boolean {
  const bytes = [...pendingFiles].reduce((sum, [other, { content }]) => (other === id ? sum : sum + content.size), file.content.size)
  if (bytes > MAX_PENDING_BYTES) return false
  pendingFiles.set(id, file)
  return true
}

export const pendingFile = (id: string): PendingFile | undefined => pendingFiles.get(id)

export const removePendingFile = (id: string): boolean => pendingFiles.delete(id)

/** The part of a message for a file that waits for the connection; null when there is no room for it. */
export function localPart(file: PendingFile): FilePart | null {
  const url = `${LOCAL}${crypto.randomUUID()}`
  return addPendingFile(url, file) ? { type: 'file', mediaType: file.content.type, filename: file.name, url } : null
}
