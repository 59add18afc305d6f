/** Whether the page stands in a frame of another site's page. Its cookies are then kept apart for that site. */
export const isEmbedded = new URLSearchParams(globalThis.location?.search).has('embed')

/** Says so to the server, which gives cookies that a frame may have. */
export const EMBEDDED_HEADERS: Record<string, string> = isEmbedded ? { embedded: 'true' } : {}
