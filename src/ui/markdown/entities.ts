/** Common entity names. Others stay as written. */
const NAMES: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', hellip: '…', mdash: '—',
  ndash: '–', times: '×', middot: '·', bull: '•', deg: '°', euro: '€', rarr: '→', larr: '←', laquo: '«', raquo: '»',
} // biome-ignore format: a table

/** Decodes HTML character references in plain text. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMES[name] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\ufffd'
  })
}
