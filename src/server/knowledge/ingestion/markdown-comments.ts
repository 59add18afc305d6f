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
const BEGINNINGS = /^(?:import|export)(?=\s)|`+|~{3,}|<!--|\{\{\/\*|\{\/\*|\{\{!--|\{%-? comment -?%\}|\{# |%%|\[(?:\/\/|comment|_)\]:/gim
const IMPORT = /import\s(?:[^\n"'{}]*(?:\{[^"'{}]{0,2000}\}[^\n"'{}]*)?\sfrom\s*)?["'][^"'\n]*["'];?[ \t]*(?:\n|$)/y
const EXPORT = /export\s(?:async|class|const|default|function|let)\s.*?([({[][ \t]*)?(?:\n|$)/y
const EXPORT_END = /\n[)}\]].*(?:\n|$)/
/** Longer code is text after its first line. */
const MAX_EXPORT = 20_000
const KEYWORDS = /^\s*keywords:([^\n]*)/i
/** Encloses what `<!-- keywords: … -->` states, at its place in the text. */
const KEYWORD_MARK = '\uE000'
const KEYWORD_MARKS = /\uE000([^\uE000]*)\uE000/g
/** Longer lines are not blank. */
const MAX_INDENT = 200
const BLANK_LINE = /\n[ \t]*\n/

/** Markdown without its comments and, with `hasModules`, imports and exports, in linear time; code keeps what looks like one. */
export function withoutComments(markdown: string, hasModules: boolean): string {
  const text = markdown.replaceAll(KEYWORD_MARK, '')
  /** Endings that don't occur in the rest. */
  const missing = new Set<string>(hasModules ? [] : ['import', 'export'])
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
  if (mark.endsWith('port')) return missing.has(mark) ? null : endOfModule(text, start, missing)
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

/** Null where a line is no import or export. An export that leaves a bracket open goes on to the line that begins with one. */
function endOfModule(text: string, start: number, missing: Set<string>): number | null {
  IMPORT.lastIndex = start
  if (IMPORT.test(text)) return IMPORT.lastIndex
  EXPORT.lastIndex = start
  const [line, bracket] = EXPORT.exec(text) ?? []
  if (line === undefined) return null
  const rest = bracket && !missing.has('}') ? EXPORT_END.exec(text.slice(start, start + MAX_EXPORT)) : null
  if (bracket && !rest) missing.add('}')
  return start + (rest ? rest.index + rest[0].length : line.length)
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
