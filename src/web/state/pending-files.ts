import type { FilePart } from '../../contract/parts/file.ts'
import { useApplication } from './application-store.ts'

/** A file in the page's memory that the server does not have yet, or may delete before the prompt is accepted. */
export interface PendingFile {
  name: string
  content: Blob
  /** A `data:` URL. */
  thumbnail?: string | undefined
}

/** Prefix of the ids of files that the server does not have yet. */
const LOCAL = 'local:'
const MAX_PENDING_BYTES = 32 * 1024 * 1024

/** By the ids that prompts use. */
const pendingFiles = new Map<string, PendingFile>()

useApplication.subscribe(({ acceptsPrivacyPolicy, isTemporary }, before) => {
  if (!acceptsPrivacyPolicy) pendingFiles.clear()
  if (before.isTemporary && !isTemporary) for (const id of pendingFiles.keys()) if (!isLocal(id)) pendingFiles.delete(id)
})

/** Whether the server does not have the file with this id or address yet. */
export const isLocal = (id: string): boolean => id.startsWith(LOCAL)

/** Adds a file under a server's or a local id; returns whether there was room for it. */
export function addPendingFile(id: string, file: PendingFile): boolean {
  const bytes = [...pendingFiles].reduce((sum, [other, { content }]) => (other === id ? sum : sum + content.size), file.content.size)
  if (bytes > MAX_PENDING_BYTES) return false
  pendingFiles.set(id, file)
  return true
}

export const pendingFile = (id: string): PendingFile | undefined => pendingFiles.get(id)

export const removePendingFile = (id: string): boolean => pendingFiles.delete(id)

/** The message part of a file that is uploaded later; `null` if there is no room for it. */
export function localPart(file: PendingFile): FilePart | null {
  const url = `${LOCAL}${crypto.randomUUID()}`
  return addPendingFile(url, file) ? { type: 'file', mediaType: file.content.type, filename: file.name, url } : null
}
