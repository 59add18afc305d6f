import { type ExtractedDocument, MAX_ANSWERS_CHARACTERS } from '../../document.ts'
import { readFragment } from '../html.ts'

/** Tables, headings, and short paragraphs outside tables that are bold throughout and followed by text. */
const BOLD_LINES =
  /<table>[^]*?<\/table>|<h([1-6])>|<p><strong>((?:[^<]|<(?:br ?\/?|em|\/em|a|\/a)\b[^>]*>){1,160})<\/strong><\/p>(?=<(?:p|ul|ol|table)>(?!<strong>(?:[^<]|<br ?\/?>)*<\/strong><\/p>))/g

/** The document of an office file that was turned into HTML. Bold lines that act as headings are headings. */
export function documentOfHtml(html: string): ExtractedDocument {
  let level = 0
  let isFirst = true
  const marked = html.replaceAll('\u00AD', '').replace(BOLD_LINES, (whole, heading?: string, line?: string) => {
    if (heading !== undefined) level = Number(heading)
    const isHeading = line !== undefined && !/[.;,]$/.test(line)
    const own = isFirst && html.startsWith(whole) ? 1 : Math.min(6, Math.max(1, level) + 1)
    isFirst = false
    return isHeading ? `<h${own}>${line}</h${own}>` : whole
  })
  const { sections } = readFragment(marked)
  return { title: null, address: null, asOf: null, sections, hasStandaloneSections: html.length <= MAX_ANSWERS_CHARACTERS }
}

/** The sections of a slide, which is counted from 0; none of an empty one. */
export const sectionsOfSlide = (html: string, index: number): ExtractedDocument['sections'] =>
  documentOfHtml(html)
    .sections.filter(({ heading, blocks }) => heading !== '' || blocks.length > 0)
    .map((section) => ({ ...section, place: `slide ${index + 1}` }))
