import type { FrameChats } from '../../contract/config.ts'
import { EMBEDDING_SITE } from '../../contract/embedding.ts'

const query = new URLSearchParams(globalThis.location?.search)

/** Whether the page is in a frame of another site. Its cookies are then partitioned by that site. */
export const isEmbedded = query.has('embed')

/** Name of the embed that the page is in; empty for one without a name. */
export const embedName = /^[a-z0-9-]{1,40}$/.exec(query.get('embed') ?? '')?.[0] ?? ''

/** Whether it stands in the text of that site's page, where nothing closes it. */
export const isInline = query.has('inline')

/** Makes the server set cookies that a frame accepts, and names the embed for its figures. */
export const EMBEDDED_HEADERS: Record<string, string> = isEmbedded ? { embedded: embedName || 'true' } : {}

/** The site that embeds the page; `null` until it has connected. */
let embeddingSite: string | null = null

/** @param origin As the browser states it. */
export function setEmbeddingSite(origin: string): void {
  embeddingSite = origin
}

/** Says with a write which site embeds the page. Reads don't say it, because nothing is counted for them. */
export const siteHeaders = (): Record<string, string> => (embeddingSite === null ? {} : { [EMBEDDING_SITE]: embeddingSite })

/** Whether the chats of this page end with the visit: in a frame, where the operator chose so. */
export function endsWithVisit(frameChats: FrameChats | undefined): boolean {
  return isEmbedded && frameChats === 'visit'
}
