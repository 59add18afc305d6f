/** Without accents, with plain apostrophes and spaces; other scripts stay as they are. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replace(/[’‘`´]/g, "'")
    .replace(/[‐‑]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The same in small letters. */
export function fold(text: string): string {
  return withoutAccents(text).toLowerCase()
}
