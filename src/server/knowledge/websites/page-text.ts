import { charactersIn, type ExtractedDocument, markdownOfSections } from '../ingestion/document.ts'

type StoredText = Pick<ExtractedDocument, 'title' | 'sections'>

/** Length of the text of a stored page; 0 without one. */
export function charactersOf(document: string | undefined): number {
  return document === undefined ? 0 : charactersIn((JSON.parse(document) as StoredText).sections)
}

/** A stored page as text, with its headings as in Markdown; empty without one. */
export function readablePage(document: string | undefined): string {
  if (document === undefined) return ''
  const { title, sections } = JSON.parse(document) as StoredText
  return `${title === null ? '' : `Title: ${title}\n\n`}${markdownOfSections(sections)}`.trimEnd()
}
