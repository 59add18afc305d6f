import { z } from 'zod'
import { ChatId } from './chat.ts'

/** Whose data a call is about: the credential's visitor, or without one the id that a client chose for itself. */
export const WhoseQuery = z.strictObject({ id: ChatId.optional().describe('For a client without a credential: the id that it chose.') })

const Timestamp = z.iso.datetime()

/** What was deleted, said so that it can be kept and checked later. It holds nothing of what was deleted. */
export const Receipt = z.object({
  version: z.literal(1),
  id: z.string().describe('Random, for speaking about this receipt.'),
  installation: z.string(),
  issuedAt: Timestamp,
  scope: z.enum(['session', 'sessions', 'everything']),
  subject: z.string().nullable().describe('The key of the session, or the public id of the visitor; null when there was nobody to know.'),
  deleted: z.record(z.string(), z.number().int()).describe('How many of each kind were counted and deleted.'),
  stoppedAnswers: z.number().int().describe('Answers that were being written and were stopped first.'),
  readBack: z.object({ remaining: z.literal(0), at: Timestamp }).describe('What a second look found afterwards.'),
  files: z
    .enum(['overwritten', 'pending', 'left-to-the-database'])
    .describe('Whether the text is out of the database files too: yes; at the next pass, within minutes; when PostgreSQL vacuums.'),
  outOfReach: z.array(z.object({ what: z.string(), why: z.string() })).describe('What this server cannot delete.'),
})
export type Receipt = z.infer<typeof Receipt>

export const ErasureReply = z.object({
  receipt: Receipt,
  jws: z.string().describe('The receipt signed, JWS compact, Ed25519; its key is at /.well-known/parley-receipts.json.'),
})
export type ErasureReply = z.infer<typeof ErasureReply>

/** RFC 7517. */
export const ReceiptKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
    }),
  ),
})
export type ReceiptKeys = z.infer<typeof ReceiptKeys>
