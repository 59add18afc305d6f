import { z } from 'zod'
import { ChatId } from './chat/chat.ts'
import { NoticeVersion } from './config.ts'
import { RequestedLanguage } from './language.ts'
import { Visitor } from './chat/sessions.ts'

/** Whose data a call concerns: the credential's visitor, or without a credential the id that the client chose. */
export const OwnerQuery = z.strictObject({ id: ChatId.optional().describe('The id that a client without a credential chose.') })

/** The body of calls that need none: left out with its type, or `{}`. */
export const NoBody = z.strictObject({}).nullish()

const Timestamp = z.iso.datetime()

/** Proof of a deletion, to be verified later. Contains nothing of the deleted data. */
export const Receipt = z.object({
  version: z.literal(1),
  id: z.string().describe('Random id of the receipt.'),
  installation: z.string(),
  issuedAt: Timestamp,
  scope: z.enum(['session', 'sessions', 'everything']),
  subject: z.string().nullable().describe('The key of the session, or the public id of the visitor; null if the visitor is unknown.'),
  deleted: z.record(z.string(), z.number().int()).describe('Number of deleted records of each kind.'),
  stoppedAnswers: z.number().int().describe('Number of running answers that were stopped first.'),
  readBack: z.object({ remaining: z.literal(0), at: Timestamp }).describe('Result of a second query after the deletion.'),
  files: z
    .enum(['overwritten', 'pending', 'left-to-the-database'])
    .describe(
      'When the text is removed from the database files: `overwritten`: already; `pending`: within minutes; `left-to-the-database`: when PostgreSQL vacuums.',
    ),
  outOfReach: z.array(z.object({ what: z.string(), why: z.string() })).describe('Data that this server cannot delete.'),
})
export type Receipt = z.infer<typeof Receipt>

export const ErasureReply = z.object({
  receipt: Receipt,
  jws: z.string().describe('The signed receipt: compact JWS, Ed25519. The key is at /.well-known/parley-receipts.json.'),
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
    .describe('128 random bits in base64url. On the other device, open `#/move?code=…` of the page, for example from a QR code.'),
  expiresAt: Timestamp,
})
export type TransferCode = z.infer<typeof TransferCode>

export const UseTransferBody = z.strictObject({
  code: z.string().min(1).max(200),
  replace: z
    .literal(true)
    .optional()
    .describe(
      'Replaces the chats on this device; chats that no other device can open are deleted. Without it, the call is rejected if the device has chats.',
    ),
  device: z
    .literal('shared')
    .optional()
    .describe('For a shared device: its cookie ends with the browser session, its key 2 hours after its last use.'),
})
export type UseTransferBody = z.infer<typeof UseTransferBody>

export const TransferReply = z.object({ visitor: Visitor })
export type TransferReply = z.infer<typeof TransferReply>

export const DeviceSignedOut = z.object({
  everything: z
    .boolean()
    .describe('Whether it was the last device; then all data has been deleted, because no device could open it any more.'),
})
export type DeviceSignedOut = z.infer<typeof DeviceSignedOut>

export const DevicesSignedOut = z.object({ devices: z.number().int().describe('Number of devices that were signed out.') })
export type DevicesSignedOut = z.infer<typeof DevicesSignedOut>

export const NoticesWithdrawn = z.object({ withdrawn: z.literal(true) })

export const DataReportQuery = OwnerQuery.extend({ language: RequestedLanguage })

/** Report on a visitor’s data, from the live configuration and the current records. Its sentences are shown to the visitor. */
export const DataReport = z.object({
  language: z.string().describe('Language of the sentences, a primary BCP 47 tag.'),
  visitor: z.string().nullable().describe('The public id of the visitor; null if there is none yet.'),
  stored: z.array(z.object({ kind: z.string(), count: z.number().int() })).describe('Current number of records of each kind.'),
  acceptedNotices: z
    .array(z.object({ version: NoticeVersion, at: Timestamp.describe('Time of the first message that was sent with it.') }))
    .describe('Privacy notices that let staff read, as far as the visitor has accepted and not withdrawn them; newest first.'),
  storage: z.string().describe('Where data is stored.'),
  retention: z.string().describe('How long data is stored.'),
  endsAt: Timestamp.nullable().describe('On shared computers, when all data is deleted: 2 hours after the last use. Otherwise null.'),
  model: z.object({ label: z.string(), provider: z.string().nullable(), sees: z.string() }),
  today: z.object({ prompts: z.number().int(), resetsAt: Timestamp }).describe('Number of prompts left today, and when the limit resets.'),
  cookies: z.array(z.object({ name: z.string(), purpose: z.string(), lasts: z.string() })),
  address: z.string(),
  logs: z.string(),
  contact: z.string().nullable(),
})
export type DataReport = z.infer<typeof DataReport>
