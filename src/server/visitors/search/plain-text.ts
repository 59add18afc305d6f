import { withoutCitations } from '../../../contract/citation.ts'

const FENCE = /^\s*(`{3,}|~{3,})/
/** A line across the page, under a heading, or under the head of a table. */
const RULE = /^[\s|:*_=-]+$/
/** What makes a line a quotation, a heading, an item of a list, or one to be ticked. */
const LINE_MARKS = /^\s*(?:(?:>|(?:#{1,6}|[-+*]|\d{1,9}[.)]|\[[ xX]\])(?=\s))\s*)*/
const CODE = /(`+)([^`]+)\1/
const LINK = /!?\[([^\][]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g
const FOOTNOTE = /\[\^[^\][\s]*\]:?/g
const STARS = /(\*{1,3}|~~)(?=\S)([^*~]+)(?<=\S)\1/g
const UNDERSCORES = /(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]+)(?<=\S)\1(?![\p{L}\p{N}_])/gu
const ESCAPE = /\\([!-/:-@[-`{-~])/g

/**
 * What a reader sees of Markdown, near enough for an excerpt, line by line; code as it stands. Takes time in proportion to the text,
 * whatever is in it.
 */
export function plainText(markdown: string): string {
  let fence: string | undefined
  const lines: string[] = []
  let isInTable = false
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    const isEdge = mark !== undefined && (fence === undefined || mark.startsWith(fence))
    if (isEdge) fence = fence === undefined ? mark : undefined
    else if (fence !== undefined) lines.push(line)
    else if (!RULE.test(line)) {
      const isRow = line.trimStart().startsWith('|')
      // Rows are told from each other on one line too.
      if (isInTable && isRow) lines.push(`${lines.pop()};`)
      lines.push(plainLine(line))
      isInTable = isRow
    }
  }
  return lines.join('\n')
}

function plainLine(line: string): string {
  const text = line.replace(LINE_MARKS, '')
  return text.startsWith('|') ? cellsOf(text).map(withoutMarks).join(' · ') : withoutMarks(text)
}

function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
}

/** Every third piece is code, after the marks around it. */
function withoutMarks(text: string): string {
  return text
    .split(CODE)
    .map((piece, index) => (index % 3 === 0 ? withoutEmphasis(piece) : index % 3 === 1 ? '' : piece))
    .join('')
}

function withoutEmphasis(text: string): string {
  const linked = withoutCitations(text).replaceAll(LINK, '$1').replaceAll(FOOTNOTE, '')
  // Twice: what is emphasized may be within what is strong.
  const once = linked.replaceAll(STARS, '$2').replaceAll(UNDERSCORES, '$2')
  return once.replaceAll(STARS, '$2').replaceAll(ESCAPE, '$1')
}
