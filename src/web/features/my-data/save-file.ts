/** Long enough for the browser to have begun reading. */
const REVOKE_AFTER_MS = 60_000

/** Hands a text to the visitor as a download. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
}
