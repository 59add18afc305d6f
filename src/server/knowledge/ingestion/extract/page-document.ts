import { z } from 'zod'
import type { ExtractedDocument } from '../document.ts'

/** A page of a website as the data folder has it. */
const PageDocument = z.strictObject({
  title: z.string().nullable(),
  address: z.string().nullable(),
  asOf: z.string().nullable(),
  sections: z.array(
    z.strictObject({
      level: z.int(),
      heading: z.string(),
      keywords: z.string(),
      blocks: z.array(
        z.strictObject({ kind: z.enum(['paragraph', 'item', 'row', 'code']), text: z.string(), isLead: z.boolean().optional() }),
      ),
      place: z.string().optional(),
    }),
  ),
  hasStandaloneSections: z.boolean().optional(),
  warning: z.string().optional(),
})

export function readPageDocument(bytes: Buffer): ExtractedDocument {
  return PageDocument.parse(JSON.parse(bytes.toString('utf8'))) as ExtractedDocument
}
