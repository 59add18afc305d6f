/** A piece of a document that is not cut unless it is longer than a passage. */
export interface Block {
  kind: 'paragraph' | 'item' | 'row' | 'code'
  text: string
  /** Stays with the block after it: a term before its definition. */
  isLead?: boolean
}

export interface Section {
  /** 1 to 6; 0 for what stands before the first heading. */
  level: number
  heading: string
  /** Words under which it is also found, from `<!-- keywords: … -->`. */
  keywords: string
  blocks: Block[]
  /** "page 3", where the format has pages. */
  place?: string
}

/** An extracted document, whatever the file format. */
export interface ExtractedDocument {
  /** Null where the document states none: its first heading of level 1 is its title, or its file's name. */
  title: string | null
  address: string | null
  /** ISO date of the content. */
  asOf: string | null
  sections: Section[]
  /** Whether each section stands alone, however short: sections are never joined. */
  hasStandaloneSections?: boolean
  /** A sentence for the operator where less was read than there is. */
  warning?: string
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

function separatorAfter(before: Block, block: Block): string {
  const isTight = before.isLead === true || (before.kind === block.kind && (block.kind === 'item' || block.kind === 'row'))
  return isTight ? '\n' : '\n\n'
}
