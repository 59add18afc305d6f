import type { FilePart } from '../../contract/parts/file.ts'
import { useApplication } from './application-store.ts'

/** A file that the page holds in its memory: the server does not have it yet, or will not have it for long. */
export interface HeldFile {
  name: string
  content: Blob
  /** A `data:` URL. */
  thumbnail?: string | undefined
}

/** Begins the address of a file that the server does not have yet, and is its id in a prompt. */
const LOCAL = 'local:'
const MAX_HELD_BYTES = 32 * 1024 * 1024

/** By the ids by which prompts name them. */
const held = new Map<string, HeldFile>()

useApplication.subscribe(({ acceptsPrivacyPolicy, isTemporary }, before) => {
  if (!acceptsPrivacyPolicy) held.clear()
  if (before.isTemporary && !isTemporary) for (const id of held.keys()) if (!isLocal(id)) held.delete(id)
})

/** Whether a file's id, or address, is of one that the server does not have yet. */
export const isLocal = (id: string): boolean => id.startsWith(LOCAL)

/** Holds a file that is named by an id of the server's, or by its own; whether there was room for it. */
export function holdFile(id: string, file: HeldFile): boolean {
  const bytes = [...held].reduce((sum, [other, { content }]) => (other === id ? sum : sum + content.size), file.content.size)
  if (bytes > MAX_HELD_BYTES) return false
  held.set(id, file)
  return true
}

export const heldFile = (id: string): HeldFile | undefined => held.get(id)

export const releaseFile = (id: string): boolean => held.delete(id)

/** The part of a message for a file that waits for the connection; null when there is no room for it. */
export function localPart(file: HeldFile): FilePart | null {
  const url = `${LOCAL}${crypto.randomUUID()}`
  return holdFile(url, file) ? { type: 'file', mediaType: file.content.type, filename: file.name, url } : null
}
