import { z } from 'zod'
import { citationOf, usesSource, sourceNumber, sourcesOf } from './citation.ts'
import type { ChatMessage } from './message.ts'
import { textOf } from './message-text.ts'

/** A source that an answer cites, for API clients. */
export const CitedSource = z.object({
  number: z.int().describe('Number by which the text cites it: `[1]`.'),
  title: z.string(),
  breadcrumb: z.string().describe('Location in the document: `Title › Section › Subsection`.'),
  address: z.string().nullable().describe('Web address of the page; null if none.'),
  asOf: z.string().nullable().describe('Date of the content, such as `2026-11-22`; null if unknown.'),
  quote: z.string().describe('The passage, or its beginning, in Markdown.'),
  file: z.string().nullable().describe('Path in the knowledge folder.'),
})
export type CitedSource = z.infer<typeof CitedSource>

/** The sources that an answer uses (see `usesSource`), by number. */
export function citedSources(answer: Pick<ChatMessage, 'parts'>): CitedSource[] {
  const sources = sourcesOf(answer.parts)
  const isUsed = usesSource(textOf(answer), sources)
  return sources
    .flatMap((part): CitedSource[] => {
      const number = sourceNumber(part)
      const citation = citationOf(part)
      if (part.type !== 'source-document' || number === undefined || !citation || !isUsed(part)) return []
      const { breadcrumb, address, asOf, quote } = citation
      return [{ number, title: part.title, breadcrumb, address, asOf, quote, file: part.filename ?? null }]
    })
    .toSorted((one, other) => one.number - other.number)
}
