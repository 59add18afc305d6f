const MAX_HEADING_WORDS = 3
const MAX_NAME_WORDS = 5
const MAX_NAME_CHARACTERS = 100

export function headingOf(words: readonly string[]): string {
  const [first = '', ...rest] = [...words.slice(0, MAX_HEADING_WORDS).join(' ')]
  return first.toLocaleUpperCase() + rest.join('')
}

/** A name for a Markdown file, made of its first heading, or of its first words without one. */
export function fileNameOf(text: string): string {
  const [, heading = text.trim().split(/\s+/, MAX_NAME_WORDS).join(' ')] = /^#{1,6}\s+(.*)$/m.exec(text) ?? []
  const plain = [...heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')].slice(0, MAX_NAME_CHARACTERS).join('')
  const name = plain.replaceAll(/^-+|-+$/g, '')
  return name === '' ? '' : `${name}.md`
}

/** Whether a document has something besides headings. */
export function hasContent(text: string): boolean {
  return text.replaceAll(/^#{1,6}(\s.*)?$/gm, '').trim() !== ''
}
