import { useApplication } from './application-store.ts'

/** A file of a temporary chat, in the page's memory: the server may delete it before the prompt is accepted. */
export interface PendingFile {
  name: string
  content: Blob
}

const MAX_PENDING_BYTES = 32 * 1024 * 1024

const pendingFiles = new Map<string, PendingFile>()

useApplication.subscribe(({ acceptsPrivacyPolicy, isTemporary }, before) => {
  if (!acceptsPrivacyPolicy || (before.isTemporary && !isTemporary)) pendingFiles.clear()
})

/** Adds a file under its id; returns whether there was room for it. */
export function addPendingFile(id: string, file: PendingFile): boolean {
  const bytes = [...pendingFiles].reduce((sum, [other, { content }]) => (other === id ? sum : sum + content.size), file.content.size)
  if (bytes > MAX_PENDING_BYTES) return false
  pendingFiles.set(id, file)
  return true
}

export const pendingFile = (id: string): PendingFile | undefined => pendingFiles.get(id)
