/** A larger share of bytes beyond ASCII is no Latin text in an 8-bit encoding. */
const MAX_LATIN_SHARE = 0.25

/** The text of a file in UTF-8, in UTF-16 with a byte order mark, or as Excel and old editors save Latin text. Throws for others. */
export function decodeText(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const high = bytes.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)
    if (high > bytes.length * MAX_LATIN_SHARE || bytes.includes(0)) throw new Error('It is not written in UTF-8.')
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
