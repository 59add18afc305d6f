import { type ExtractedDocument, textOf } from '../ingestion/document.ts'

type StoredText = Pick<ExtractedDocument, 'title' | 'sections'>

/** Length of the text of a stored page; 0 without one. */
export function charactersOf(document: string | undefined): number {
  const sections = document === undefined ? [] : (JSON.parse(document) as StoredText).sections
  return sections.reduce((sum, { blocks }) => sum + blocks.reduce((length, { text }) => length + text.length, 0), 0)
}

/** A stored page as text, with its headings as in Markdown; empty without one. */
export function readablePage(document: string | undefined): string {
  if (document === undefined) return ''
  const { title, sections } = JSON.parse(document) as StoredText
  const parts = sections.flatMap(({ level, heading, blocks }) => [
    heading === '' ? '' : `${'#'.repeat(Math.max(level, 1))} ${heading}`,
    textOf(blocks),
  ])
  return [title === null ? '' : `Title: ${title}`, ...parts].filter((part) => part !== '').join('\n\n')
}
