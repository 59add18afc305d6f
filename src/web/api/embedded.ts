/** Whether the page is in a frame of another site. Its cookies are then partitioned by that site. */
export const isEmbedded = new URLSearchParams(globalThis.location?.search).has('embed')

/** Makes the server set cookies that a frame accepts. */
export const EMBEDDED_HEADERS: Record<string, string> = isEmbedded ? { embedded: 'true' } : {}
