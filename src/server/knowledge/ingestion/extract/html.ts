import { Parser } from 'htmlparser2'
import { type Passage, passagesOf } from '../passages.ts'

const LEFT_OUT = new Set(['script', 'style', 'template', 'noscript', 'nav', 'svg', 'iframe', 'object', 'form'])
const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt figcaption figure footer header hr li main ol p pre section table tbody thead tr ul'.split(
    ' ',
  ),
)
const HEADING = /^h([1-6])$/

/** The text of a page, cut at its headings, without scripts, styles and navigation. */
export function htmlPassages(file: string, html: string): Passage[] {
  return passagesOf(file, markdownOf(html))
}

/** Headings, list items and paragraphs of a page as Markdown; of everything else the text. */
export function markdownOf(html: string): string {
  const lines: string[] = []
  let text = ''
  let prefix = ''
  let hidden = 0
  let title: string | null = null
  const close = () => {
    const line = text.replace(/\s+/g, ' ').trim()
    // What looks like a heading in a paragraph is none.
    if (line !== '') lines.push(prefix === '' ? line.replace(/^(#{1,6}\s)/, '\\$1') : `${prefix}${line}`)
    text = ''
    prefix = ''
  }
  const parser = new Parser({
    onopentag(name) {
      if (LEFT_OUT.has(name)) hidden += 1
      if (name === 'title') title = ''
      const level = HEADING.exec(name)?.[1]
      if (level || BLOCKS.has(name)) close()
      if (level) prefix = `${'#'.repeat(Number(level))} `
      if (name === 'li') prefix = '- '
      if ((name === 'td' || name === 'th') && text.trim() !== '') text += ' | '
    },
    ontext(piece) {
      if (title !== null) title += piece
      else if (hidden === 0) text += piece
    },
    onclosetag(name) {
      if (LEFT_OUT.has(name)) hidden = Math.max(0, hidden - 1)
      if (name === 'title' && title !== null) {
        if (title.trim() !== '') lines.push(`# ${title.replace(/\s+/g, ' ').trim()}`)
        title = null
      }
      if (HEADING.test(name) || BLOCKS.has(name)) close()
    },
  })
  parser.end(html)
  close()
  return lines.join('\n\n')
}
