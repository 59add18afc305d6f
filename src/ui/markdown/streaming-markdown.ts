import { MAX_MARKED_CHARACTERS } from './bounded-tokenizer.ts'

/** A line that opens or closes a code block. */
const FENCE = /^ {0,3}(`{3,}|~{3,}).*/gm

/**
 * Prepares streaming Markdown for display: closes open marks, or holds them back until they are unambiguous, so nothing jumps when the
 * rest arrives. Changes only the last lines.
 */
export function completeMarkdown(source: string): string {
  const start = tailStart(source)
  const head = source.slice(0, start)
  if (isInsideFence(source)) return source.replace(/\n[ \t]*[`~]{1,}$/, '')
  return head + completeTail(source.slice(start))
}

/** Start of the last paragraph, or of its last lines if it is long. */
export function tailStart(source: string): number {
  const paragraph = source.lastIndexOf('\n\n') + 1
  if (source.length - paragraph <= MAX_MARKED_CHARACTERS) return paragraph
  const line = source.indexOf('\n', source.length - MAX_MARKED_CHARACTERS)
  return line < 0 ? source.length : line
}

export function isInsideFence(source: string): boolean {
  let open = ''
  for (const [line, mark = ''] of source.matchAll(FENCE)) {
    if (!open) open = mark
    else if (mark[0] === open[0] && mark.length >= open.length && line.trim() === mark) open = ''
  }
  return open !== ''
}

function completeTail(tail: string): string {
  const held = hideIncompleteTable(tail)
    // A line of marks only: the start of a heading, rule, list, fence or quote.
    .replace(/(^|\n)[ \t]*(?:#{1,6}|[-*+=_`~>]{1,}|\d{1,9}[.)]?|[-*+] \[?[ xX]?\]?)[ \t]*$/, '$1')
  const shown = endsInCode(held) ? held : holdLink(held)
  const close = closers(shown)
  // Marks don't close after a space.
  return close === '' ? shown : shown.replace(/[ \t]+$/, '') + close
}

function holdLink(text: string): string {
  // A citation that may become a link is held back.
  const held = text.replace(CITATION_END, '')
  if (held !== text) return held
  return (
    text
      // Shows only the text of a link or image until its address is complete.
      .replace(/!\[[^\]\n]*(?:\](?:\([^)\n]*)?)?$/, '')
      .replace(/\[([^\]\n]*)(?:\](?:\([^)\n]*)?)?$/, '$1')
      .replace(/<[^>\s]*$/, '')
  )
}

/** `[1`, `[1, 2`, `[1]` or `【1` at the end of a text. */
const CITATION_END = /[ \t]?(?:\[\d|【)[\d,; ]{0,80}\]?$/

/** Holds back the head of a table until the rule below it is complete. */
function hideIncompleteTable(tail: string): string {
  const lines = tail.replace(/\n$/, '').split('\n')
  const first = lines.findLastIndex((line) => !line.startsWith('|')) + 1
  const [head, rule] = lines.slice(first)
  const isTable = head === undefined || (rule !== undefined && /^\|[-:| ]*-[-:| ]*\|[ \t]*$/.test(rule) && !isShorter(rule, head, tail))
  return isTable ? tail : lines.slice(0, first).join('\n') + (first > 0 ? '\n' : '')
}

/** Whether the rule at the end has fewer cells than the head, so it is incomplete. */
function isShorter(rule: string, head: string, tail: string): boolean {
  return tail.endsWith(rule) && rule.split('|').length < head.split('|').length
}

/** Marks that close open code and emphasis, innermost first. */
function closers(text: string): string {
  const outside = outsideCode(text)
  const code = OPEN_CODE.exec(outside)?.[0]
  if (code) return outside.endsWith(code) ? '' : code
  return ['~~', '**', '*'].reduce((close, mark) => close + (isOpen(outside, mark) ? mark : ''), '')
}

const OPEN_CODE = /`+/

const outsideCode = (text: string): string => text.slice(text.lastIndexOf('\n') + 1).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')

const endsInCode = (text: string): boolean => OPEN_CODE.test(outsideCode(text))

function isOpen(line: string, mark: string): boolean {
  const others = mark === '*' ? line.replaceAll('**', '') : line
  const pieces = others.split(mark)
  return pieces.length % 2 === 0 && /^\S/.test(pieces.at(-1) ?? '')
}
