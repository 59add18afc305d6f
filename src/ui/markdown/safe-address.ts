const SAFE = ['http:', 'https:', 'mailto:', 'tel:']

/** The absolute form of an http, https, mailto or tel address; null for anything else. */
export function safeAddress(address: string): string | null {
  try {
    const url = new URL(address)
    return SAFE.includes(url.protocol) ? url.href : null
  } catch {
    return null
  }
}
