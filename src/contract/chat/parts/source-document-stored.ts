import { z } from 'zod'
import { boundedCitation, citationMetadata, citationOf, MAX_BREADCRUMB_CHARACTERS, MAX_QUOTE_CHARACTERS } from '../citation.ts'
import { ShortText, textUpTo } from './export-fields.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import type { SourceDocumentPart } from './source-document.ts'

/** Longer text is cut, and an address that is not http or https becomes null. */
export const CitationMetadata = z.object({
  parley: z
    .object({
      breadcrumb: z.string().describe(`\`Title › Section\`; cut after ${MAX_BREADCRUMB_CHARACTERS} characters.`),
      quote: z.string().describe(`The passage, Markdown; cut after ${MAX_QUOTE_CHARACTERS} characters.`),
      asOf: z.string().nullable().describe('ISO date of the content.'),
      address: z.string().nullable().describe('The page, http or https.'),
      place: z.string().optional().describe('Where in the file, for example “page 3”.'),
    })
    .transform(boundedCitation),
})

const schema = z.object({
  type: z.literal('source-document'),
  sourceId: ShortText,
  mediaType: ShortText,
  title: textUpTo(500),
  filename: textUpTo(500).optional(),
  providerMetadata: CitationMetadata.optional().catch(undefined),
})

export const storedSourceDocument: StoredPartDefinition<SourceDocumentPart, typeof schema> = {
  toChunks: (part) => [part],
  schema,
  // Listed below the message.
  toMarkdown: () => [],
  toShared: (part) => {
    const citation = citationOf(part)
    const { sourceId, mediaType, title } = part
    return { type: 'source-document', sourceId, mediaType, title, ...(citation && { providerMetadata: citationMetadata(citation) }) }
  },
}
