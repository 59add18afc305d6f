const SAMPLE_BYTES = 64 * 1024
const OTHER_SCRIPTS = ['windows-1251', 'koi8-r', 'windows-1253']
/** Signs beside letters, and capitals after small letters, as the wrong encoding shows them. */
const MISREAD =
  /\p{L}(?=[\u00a1-\u00b4\u00b6-\u00b9\u00bb-\u00bf])|[\u00a2-\u00a6\u00ac-\u00b4\u00b8\u00b9\u00bc-\u00bf](?=\p{L})|\p{Ll}(?=\p{Lu})|\ufffd/gu

/** The encoding of a text that is not in Unicode: of Latin, Cyrillic or Greek letters; null for others. */
export function eightBitEncodingOf(bytes: Buffer): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const read = (encoding: string) => new TextDecoder(encoding).decode(sample)
  const misreadIn = (encoding: string) => read(encoding).match(MISREAD)?.length ?? 0
  const high = sample.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)
  const latin = read('windows-1252').match(/[a-z]/gi)?.length ?? 0
  if (high > latin) {
    const [best = ''] = OTHER_SCRIPTS.toSorted((one, other) => misreadIn(one) - misreadIn(other))
    // Scripts without capitals are in none of them.
    return misreadIn(best) < high / 50 && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(read(best).match(/\p{Lu}/u)?.[0] ?? '')
      ? best
      : null
  }
  if (misreadIn('windows-1250') < misreadIn('windows-1252') / 2) return 'windows-1250'
  const western = read('windows-1252')
  // These are letters of Turkish, or of Icelandic, which has the others too.
  return /[\u00f0\u00fd\u00fe\u00d0\u00dd\u00de]/.test(western) && !/[\u00e1\u00e6\u00ed\u00f3\u00fa]/.test(western)
    ? 'windows-1254'
    : 'windows-1252'
}
