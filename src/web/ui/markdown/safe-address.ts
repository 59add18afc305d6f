const SAFE = ['http:', 'https:', 'mailto:']

/** The absolute form of an address that may be a link (http, https or mailto), or null: nothing relative, nothing that runs. */
export function safeAddress(address: string): string | null {
  try {
    const url = new URL(address)
    return SAFE.includes(url.protocol) ? url.href : null
  } catch {
    return null
  }
}
