import { z } from 'zod'

const Block = z.strictObject({
  kind: z.enum(['paragraph', 'item', 'row', 'code']),
  text: z.string(),
  /** Stays with the block after it: a term before its definition. */
  isLead: z.boolean().optional(),
})
/** A piece of a document that is not cut unless it is longer than a passage. */
export type Block = z.infer<typeof Block>

const Section = z.strictObject({
  /** 1 to 6; 0 for what stands before the first heading. */
  level: z.int(),
  heading: z.string(),
  /** Words under which it is also found, from `<!-- keywords: … -->`. */
  keywords: z.string(),
  blocks: z.array(Block),
  /** "page 3", where the format has pages. */
  place: z.string().optional(),
})
export type Section = z.infer<typeof Section>

/** An extracted document, whatever the file format; also as the data folder has the pages of websites. */
export const ExtractedDocument = z.strictObject({
  /** Null where the document states none: its first heading of level 1 is its title, or its file's name. */
  title: z.string().nullable(),
  address: z.string().nullable(),
  /** ISO date of the content. */
  asOf: z.string().nullable(),
  sections: z.array(Section),
  /** Whether each section stands alone, however short: sections are never joined. */
  hasStandaloneSections: z.boolean().optional(),
  /** A sentence for the operator where less was read than there is. */
  warning: z.string().optional(),
})
export type ExtractedDocument = z.infer<typeof ExtractedDocument>

/** Characters of the text below the headings. */
export function charactersIn(sections: readonly Section[]): number {
  return sections.reduce((sum, { blocks }) => sum + blocks.reduce((length, { text }) => length + text.length, 0), 0)
}

/** A document up to this length is treated as a collection of answers, a longer one as a manual. */
export const MAX_ANSWERS_CHARACTERS = 8_000

/** Begins the warning about pages that are pictures and were not read. */
export const SCANNED = 'Scanned, without text'

/** Blocks as text, each kind joined as it is written in Markdown. */
export function textOf(blocks: readonly Block[]): string {
  let text = ''
  for (const [index, block] of blocks.entries())
    text += `${index === 0 ? '' : separatorAfter(blocks[index - 1] as Block, block)}${block.text}`
  return text
}

/** Sections as Markdown, with their headings. */
export function markdownOfSections(sections: readonly Section[]): string {
  const texts = sections.flatMap(({ level, heading, blocks }) => [
    heading === '' ? '' : `${'#'.repeat(Math.max(level, 1))} ${heading}`,
    textOf(blocks),
  ])
  return texts.filter((text) => text !== '').join('\n\n')
}

function separatorAfter(before: Block, block: Block): string {
  const isTight = before.isLead === true || (before.kind === block.kind && (block.kind === 'item' || block.kind === 'row'))
  return isTight ? '\n' : '\n\n'
}
