import { z } from 'zod'

const Timestamp = z.iso.datetime()
const Who = z.string().describe('Name of the person.')

export const Revision = z.int().min(1).describe('Counts the saves.')
export const DRAFT = { revision: Revision, by: Who, at: Timestamp }
export const PUBLICATION = {
  number: z.int(),
  hash: z.string().describe('SHA-256 of the text.'),
  restores: z.int().nullable().describe('Number of the publication that it restores.'),
  by: Who,
  at: Timestamp,
}
export const HiddenBy = z.string().nullable().describe('File with the same id, which is in force instead.')
export const PublishedNumber = z.int().nullable().describe('Number of the publication in force.')
export const HasChanges = z.boolean().describe('Whether the draft differs from what is published.')

export const PublicationRequest = z.strictObject({ revision: Revision.describe('Revision of the draft.') })
export const RollBackRequest = z.strictObject({ number: z.int().min(1).describe('Number of the publication to restore.') })
export const TextPublished = z.object({ number: z.int() })
