import { type Block, type ExtractedDocument, type Section, textOf } from './document.ts'
import { cutAtSpaces, sentencesOf } from '../../../text/sentences.ts'

/** A piece of a document that can be read by itself. */
export interface Passage {
  title: string
  /** Path inside the knowledge folder, with forward slashes. */
  file: string
  /** Innermost heading that all of the passage stands under; the title where there is none. */
  heading: string
  /** Headings from below the title down to `heading`. */
  path: string[]
  /** Markdown, without the heading. */
  text: string
  /** Where in the file, if it has pages or rows: "page 3", "rows 2–21". */
  place: string | null
  /** Words under which it is also found, from a comment `<!-- keywords: … -->`. */
  keywords: string
  /** Headings inside the text, where short sections are joined. */
  subheadings: string[]
  address: string | null
  /** ISO date of the content. */
  asOf: string | null
}

/** In characters: sections shorter than `min` are joined with the next, and the pieces of long ones have about `target`. */
export const PASSAGE_SIZES = { min: 600, target: 850, max: 1_600 }
const { min: MIN, target: TARGET, max: MAX } = PASSAGE_SIZES
const MAX_TITLE_CHARACTERS = 200
const MAX_PATH = 6
/** Marks and blank lines around a heading. */
const HEADING_CHARACTERS = 10
/** Text rather than a heading: it has a figure, an end, or is long. */
const SENTENCE = /\d|[.!;\u3002]["\u201d)]?$|^.{60}/
const QUESTION = /[?\uff1f\u061f]\s*$/

/** A document's passages in reading order. Questions and sections with keywords stand alone; other short sections are joined. */
export function passagesOf(file: string, document: ExtractedDocument): Passage[] {
  const title = shortened(document.title ?? document.sections.find(({ level }) => level === 1)?.heading ?? titleOfFile(file))
  const { address, asOf } = document
  const groups = joined(partsOf(document, title))
  return groups.map((parts) => ({ title, file, ...contentOf(parts, title), address, asOf }))
}

export function titleOfFile(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.\w+$/, '')
}

interface Part {
  section: Section
  path: string[]
  text: string
  isStandalone: boolean
}

function partsOf({ sections, hasStandaloneSections = false }: ExtractedDocument, title: string): Part[] {
  const parts: Part[] = []
  const open: { level: number; heading: string }[] = []
  for (const section of withWholeHeadings(sections, title)) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= section.level) open.pop()
    const heading = shortened(section.heading)
    if (heading !== '' && heading !== title) open.push({ level: section.level, heading })
    const path = open.slice(-MAX_PATH).map((above) => above.heading)
    const isStandalone = hasStandaloneSections || section.keywords !== '' || QUESTION.test(heading)
    for (const text of cut(section.blocks, isStandalone)) parts.push({ section, path, text, isStandalone })
  }
  return parts
}

/** The sections with headings that are longer than one, and lines of a poster, under which nothing stands, as text. */
function withWholeHeadings(sections: readonly Section[], title: string): Section[] {
  const whole: Section[] = []
  for (const [index, section] of sections.entries()) {
    const { heading, level, blocks, place } = section
    const text = { kind: 'paragraph' as const, text: heading }
    const isEmpty = blocks.length === 0 && (sections[index + 1]?.level ?? 0) <= level && heading !== '' && heading !== title
    // Programs take large lines of pages and slides for headings; elsewhere, a heading alone may be one that nobody has written under.
    const isBare = isEmpty && !QUESTION.test(heading) && (place !== undefined || SENTENCE.test(heading))
    const before = whole.at(-1)
    if (isBare && before && before.place === place && before.blocks.length > 0) before.blocks.push(text)
    else if (isBare) whole.push({ ...section, heading: '', blocks: [text] })
    else whole.push({ ...section, blocks: heading.length > MAX_TITLE_CHARACTERS ? [text, ...blocks] : [...blocks] })
  }
  return whole
}

/** Short parts with the next ones, up to the target; one list for each passage. */
function joined(parts: readonly Part[]): Part[][] {
  const passages: Part[][] = []
  let current: Part[] = []
  let length = 0
  for (const part of parts) {
    // A joined section brings its heading along.
    const added = part.text.length + (part.path.at(-1)?.length ?? 0) + HEADING_CHARACTERS
    const isSmall = length < MIN || part.text.length < MIN / 3
    const fits = length + added <= (length < MIN ? MAX : TARGET)
    if (current.length > 0 && isSmall && fits && canJoin(current[0] as Part, part)) {
      current.push(part)
      length += added
    } else {
      if (current.length > 0) passages.push(current)
      current = [part]
      length = added
    }
  }
  return current.length > 0 ? [...passages, current] : passages
}

function canJoin(one: Part, other: Part): boolean {
  return !one.isStandalone && !other.isStandalone && one.section.place === other.section.place
}

function contentOf(
  parts: readonly Part[],
  title: string,
): Pick<Passage, 'heading' | 'path' | 'text' | 'place' | 'keywords' | 'subheadings'> {
  const [first] = parts as [Part]
  const path = parts.reduce((common, part) => common.slice(0, commonLength(common, part.path)), first.path)
  const subheadings: string[] = []
  let before = path
  const texts = parts.map((part) => {
    const own = part.path.slice(commonLength(before, part.path))
    before = part.path
    subheadings.push(...own)
    return [
      ...own.map((heading, index) => `${'#'.repeat(Math.min(6, part.path.length - own.length + index + 2))} ${heading}`),
      part.text,
    ].join('\n\n')
  })
  return {
    heading: path.at(-1) ?? title,
    path,
    text: texts.join('\n\n'),
    place: first.section.place ?? null,
    keywords: first.section.keywords,
    subheadings,
  }
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((heading, index) => heading !== other[index])
  return differs === -1 ? one.length : differs
}

/** A section in pieces of about the target size, all of about the same length; whole if it is not much longer. */
function cut(blocks: readonly Block[], isStandalone: boolean): string[] {
  const text = textOf(blocks)
  if (text.trim() === '') return []
  const count = isStandalone && text.length <= MAX ? 1 : Math.max(1, Math.round(text.length / TARGET))
  if (count === 1 && text.length <= MAX) return [text]
  const goal = text.length / count
  const pieces: Block[][] = []
  let piece: Block[] = []
  let length = 0
  for (const atom of atomsOf(blocks.flatMap(fitted))) {
    const added = textOf(atom).length
    if (piece.length > 0 && (length + added / 2 > goal || length + added > MAX)) {
      pieces.push(piece)
      piece = []
      length = 0
    }
    piece.push(...atom)
    length += added + 2
  }
  if (piece.length > 0) pieces.push(piece)
  return pieces.map(textOf)
}

/** Blocks that stay together: a lead with the block after it. */
function atomsOf(blocks: readonly Block[]): Block[][] {
  const atoms: Block[][] = []
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1]
    if (before?.isLead && before.text.length + block.text.length < MAX) atoms.at(-1)?.push(block)
    else atoms.push([block])
  }
  return atoms
}

/** A block that is longer than a passage in several: code and tables between lines, text between sentences. */
function fitted(block: Block): Block[] {
  if (block.text.length <= MAX) return [block]
  const [opening = '', ...lines] = block.text.split('\n')
  if (block.kind === 'code' && /^\s*(```|~~~)/.test(opening)) {
    const content = lines.at(-1)?.trim() === opening.trim().slice(0, 3) ? lines.slice(0, -1) : lines
    const closing = opening.trim().slice(0, 3)
    return packed(content, '\n').map((text) => ({ kind: 'code', text: `${opening}\n${text}\n${closing}` }))
  }
  if (block.kind === 'code' || block.kind === 'row') return packed(block.text.split('\n'), '\n').map((text) => ({ ...block, text }))
  return packed(sentencesOf(block.text), '').map((text) => ({ ...block, text: text.trim() }))
}

/** Joins units into pieces of about the target and about the same length; a unit that is longer is cut at white space. */
function packed(units: readonly string[], separator: string): string[] {
  const fitting = units.flatMap((whole) => cutAtSpaces(whole, TARGET))
  const total = fitting.reduce((sum, unit) => sum + unit.length + separator.length, 0)
  const goal = total / Math.max(1, Math.round(total / TARGET))
  const pieces: string[] = []
  let piece: string[] = []
  let length = 0
  for (const unit of fitting) {
    if (piece.length > 0 && length + unit.length / 2 > goal) {
      pieces.push(piece.join(separator))
      piece = []
      length = 0
    }
    piece.push(unit)
    length += unit.length + separator.length
  }
  return [...pieces, piece.join(separator)].filter((text) => text.trim() !== '')
}

function shortened(text: string): string {
  return text.length <= MAX_TITLE_CHARACTERS ? text : `${cutAtSpaces(text, MAX_TITLE_CHARACTERS)[0]}\u2026`
}
