import type { FrameChats } from '../../contract/config.ts'

/** Whether the page is in a frame of another site. Its cookies are then partitioned by that site. */
export const isEmbedded = new URLSearchParams(globalThis.location?.search).has('embed')

/** Makes the server set cookies that a frame accepts. */
export const EMBEDDED_HEADERS: Record<string, string> = isEmbedded ? { embedded: 'true' } : {}

/** Whether the chats of this page end with the visit: in a frame, where the operator chose so. */
export function endsWithVisit(frameChats: FrameChats | undefined): boolean {
  return isEmbedded && frameChats === 'visit'
}
