import { z } from 'zod'
import { ChatId } from './chat.ts'
import { WantedLanguage } from './language.ts'
import { Visitor } from './sessions.ts'

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

export const TransferCode = z.object({
  code: z
    .string()
    .describe('Six words with hyphens between: for the address `#/move?code=…` on the other device, as a QR code or to be typed.'),
  expiresAt: Timestamp,
})
export type TransferCode = z.infer<typeof TransferCode>

export const UseTransferBody = z.strictObject({
  code: z.string().min(1).max(200),
  replace: z
    .literal(true)
    .optional()
    .describe(
      'The chats that this device has are given up; those that no other device opens are deleted. Without it they are a reason to reject.',
    ),
  device: z
    .literal('shared')
    .optional()
    .describe('This device is shared: its cookie ends with the browser, its key 2 hours after its last use.'),
})
export type UseTransferBody = z.infer<typeof UseTransferBody>

export const Moved = z.object({ visitor: Visitor })
export type Moved = z.infer<typeof Moved>

export const DeviceForgotten = z.object({
  everything: z.boolean().describe('It was the only one: what was stored has been deleted, for nobody could have opened it any more.'),
})
export type DeviceForgotten = z.infer<typeof DeviceForgotten>

export const DevicesForgotten = z.object({ devices: z.number().int().describe('How many have been signed out.') })
export type DevicesForgotten = z.infer<typeof DevicesForgotten>

export const DataReportQuery = WhoseQuery.extend({ language: WantedLanguage })

/** What is known about a visitor, true of the live configuration and of what is stored now. Sentences are for the visitor. */
export const DataReport = z.object({
  language: z.string().describe('Of its sentences, a primary tag of BCP 47.'),
  visitor: z.string().nullable().describe('The public id of the visitor; null when there is none yet.'),
  stored: z.array(z.object({ kind: z.string(), count: z.number().int() })).describe('What is stored, counted now.'),
  where: z.string(),
  kept: z.string().describe('How long.'),
  endsAt: Timestamp.nullable().describe('When everything goes, on shared computers only: 2 hours after the last use.'),
  model: z.object({ label: z.string(), provider: z.string().nullable(), sees: z.string() }),
  today: z.object({ prompts: z.number().int(), resetsAt: Timestamp }).describe('How many prompts are left today, and when there are more.'),
  cookies: z.array(z.object({ name: z.string(), purpose: z.string(), lasts: z.string() })),
  address: z.string(),
  logs: z.string(),
  contact: z.string().nullable(),
})
export type DataReport = z.infer<typeof DataReport>
