/** Without accents, with plain apostrophes and spaces; other scripts stay as they are. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('\u00df', 'ss')
    .replaceAll('\u0153', 'oe')
    .replace(/[\u2019\u2018`\u00b4]/g, "'")
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The same in small letters. */
export function fold(text: string): string {
  return withoutAccents(text).toLowerCase()
}
