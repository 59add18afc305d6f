import { withoutCitations } from '../../../contract/chat/citation.ts'

const FENCE = /^\s*(`{3,}|~{3,})/
/** A thematic break, or the line under a heading or table header. */
const RULE = /^[\s|:*_=-]+$/
/** Marks of a quotation, heading, list item or task. */
const LINE_MARKS = /^\s*(?:(?:>|(?:#{1,6}|[-+*]|\d{1,9}[.)]|\[[ xX]\])(?=\s))\s*)*/
const CODE = /(`+)([^`]+)\1/
const LINK = /!?\[([^\][]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g
const FOOTNOTE = /\[\^[^\][\s]*\]:?/g
const STARS = /(\*{1,3}|~~)(?=\S)([^*~]+)(?<=\S)\1/g
const UNDERSCORES = /(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]+)(?<=\S)\1(?![\p{L}\p{N}_])/gu
const ESCAPE = /\\([!-/:-@[-`{-~])/g

/** Markdown as readers see it, close enough for an excerpt; code is unchanged. Linear in the text's length for any input. */
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
      // Keeps rows distinct where the excerpt joins lines.
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

/** Every third piece is code, preceded by its backticks. */
function withoutMarks(text: string): string {
  return text
    .split(CODE)
    .map((piece, index) => (index % 3 === 0 ? withoutEmphasis(piece) : index % 3 === 1 ? '' : piece))
    .join('')
}

function withoutEmphasis(text: string): string {
  const linked = withoutCitations(text).replaceAll(LINK, '$1').replaceAll(FOOTNOTE, '')
  // Twice, because emphasis can be nested in strong text.
  const once = linked.replaceAll(STARS, '$2').replaceAll(UNDERSCORES, '$2')
  return once.replaceAll(STARS, '$2').replaceAll(ESCAPE, '$1')
}
