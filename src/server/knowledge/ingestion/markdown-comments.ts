/** Comments that end with a mark of their own, the longest beginnings first. */
const COMMENTS: Readonly<Record<string, string>> = {
  '<!--': '-->',
  '{{/*': '*/}}',
  '{/*': '*/}',
  '{{!--': '--}}',
  '{% comment %}': '{% endcomment %}',
  '{%- comment -%}': '{%- endcomment -%}',
  '{# ': '#}',
  '%%': '%%',
}
const BEGINNINGS = /`+|~{3,}|<!--|\{\{\/\*|\{\/\*|\{\{!--|\{%-? comment -?%\}|\{# |%%|\[(?:\/\/|comment|_)\]:/gi
const KEYWORDS = /^\s*keywords:([^\n]*)/i
/** Encloses what `<!-- keywords: … -->` states, at its place in the text. */
const KEYWORD_MARK = '\uE000'
const KEYWORD_MARKS = /\uE000([^\uE000]*)\uE000/g
/** Longer lines are not blank. */
const MAX_INDENT = 200
const BLANK_LINE = /\n[ \t]*\n/

/** Markdown without its comments, in linear time; code keeps what looks like one. `takeKeywords` finds the keywords that comments state. */
export function withoutComments(markdown: string): string {
  const text = markdown.replaceAll(KEYWORD_MARK, '')
  /** Endings that don't occur in the rest. */
  const missing = new Set<string>()
  let kept = ''
  let from = 0
  BEGINNINGS.lastIndex = 0
  for (let match = BEGINNINGS.exec(text); match; match = BEGINNINGS.exec(text)) {
    const start = match.index
    const [mark] = match
    if (/^[`~]/.test(mark)) {
      BEGINNINGS.lastIndex = endOfCode(text, start, mark, missing)
      continue
    }
    const end = mark.startsWith('[') ? endOfReference(text, start) : endOfComment(text, start, mark.toLowerCase(), missing)
    if (end === null) continue
    const keywords = mark === '<!--' ? KEYWORDS.exec(text.slice(start + 4, Math.max(start + 4, end - 3)))?.[1]?.trim() : undefined
    kept += text.slice(from, start) + (keywords ? `${KEYWORD_MARK}${keywords}${KEYWORD_MARK}` : '')
    from = end
    BEGINNINGS.lastIndex = end
  }
  return kept + text.slice(from)
}

/** The text without its keywords, and these. */
export function takeKeywords(text: string): { text: string; keywords: string[] } {
  const keywords: string[] = []
  const rest = text.replace(KEYWORD_MARKS, (_, words: string) => {
    keywords.push(words)
    return ''
  })
  return { text: rest, keywords }
}

/** Where the code ends that a run of marks opens; right after the run where it opens none. */
function endOfCode(text: string, start: number, mark: string, missing: Set<string>): number {
  const afterMark = start + mark.length
  if (mark.length >= 3 && /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?$/.test(lineBefore(text, start))) {
    const closing = new RegExp(`\\n[ \\t>]*${mark}[\`~]*[ \\t]*(?=\\n|$)`, 'g')
    closing.lastIndex = afterMark
    return closing.test(text) ? closing.lastIndex : text.length
  }
  if (mark.startsWith('~') || missing.has(mark)) return afterMark
  const runs = new RegExp(`(?<!\`)${mark}(?!\`)`, 'g')
  runs.lastIndex = afterMark
  const closing = runs.exec(text)
  if (!closing) missing.add(mark)
  return closing && !BLANK_LINE.test(text.slice(afterMark, closing.index)) ? runs.lastIndex : afterMark
}

/** Null where the mark opens no comment. An HTML comment that begins a line and is never closed hides the rest, as in CommonMark. */
function endOfComment(text: string, start: number, mark: string, missing: Set<string>): number | null {
  const before = lineBefore(text, start)
  const closing = COMMENTS[mark] ?? ''
  const end = missing.has(mark) ? -1 : text.indexOf(closing, start + mark.length)
  if (end === -1) {
    missing.add(mark)
    return mark === '<!--' && before.trim() === '' ? text.length : null
  }
  // Percent signs in a sentence.
  const isInWord = /[\w%]$/.test(before) || /[\w~]/.test(text.charAt(end + 2))
  if (mark === '%%' && before.trim() !== '' && (isInWord || BLANK_LINE.test(text.slice(start, end)))) return null
  return end + closing.length
}

/** `[//]: # (…)` to its closing mark, at most to the end of the paragraph. */
function endOfReference(text: string, start: number): number | null {
  if (lineBefore(text, start).trim() !== '') return null
  const [paragraph = ''] = text.slice(start).split(BLANK_LINE, 1)
  const [first = ''] = paragraph.split('\n', 1)
  const [mark] = /[("']/.exec(first.slice(first.indexOf(':'))) ?? []
  if (mark === undefined) return start + first.length
  let open = 0
  let length = 0
  for (const line of paragraph.split('\n')) {
    for (const character of line) open += character === mark ? 1 : mark === '(' && character === ')' ? -1 : 0
    length += line.length + 1
    if (mark === '(' ? open <= 0 : open % 2 === 0) return start + length - 1
  }
  return start + first.length
}

/** The end of the line before a place, which says whether it is blank. */
function lineBefore(text: string, at: number): string {
  const piece = text.slice(Math.max(0, at - MAX_INDENT), at)
  return piece.slice(piece.lastIndexOf('\n') + 1)
}
