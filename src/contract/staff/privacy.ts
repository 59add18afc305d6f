import { z } from 'zod'
import { PrivacyNotice, PrivacyNoticeQuery } from '../config.ts'
import { PRIVACY_TABLES } from './privacy-days.ts'
import { StaffId, StaffRoleName } from './session.ts'

export const RIGHTS_USED = [
  'all_data_deleted',
  'all_chats_deleted',
  'chat_deleted',
  'all_data_exported',
  'chat_exported',
  'report_withdrawn',
] as const
export type RightUsed = (typeof RIGHTS_USED)[number]

export const EXPIRED_KINDS = ['chats', 'visitors', 'files', 'temporary_chats', 'shared_devices', 'shared_links', 'reports'] as const
export type ExpiredKind = (typeof EXPIRED_KINDS)[number]

const Timestamp = z.iso.datetime()
const Counts = z.array(
  z.object({
    day: z.iso.date().describe('UTC.'),
    kind: z.string(),
    count: z.int().nullable().describe('`null`: fewer than five.'),
  }),
)

export const PrivacyReport = z.object({
  rights: Counts.describe('Deletions and exports by visitors in the last 30 days, newest first.'),
  expired: Counts.describe('Expired data deleted in the last 30 days, newest first.'),
  retentionDays: z.number().describe('Chats are deleted after this many days without activity.'),
  lastRunAt: Timestamp.nullable().describe('When what had expired was last deleted; `null` before the first time.'),
  readings: z
    .array(
      z.object({
        at: Timestamp,
        reader: z.union([StaffId, z.literal('operator')]).describe('A random id, as in the audit log.'),
        role: StaffRoleName.nullable().describe('`null` for somebody who was removed.'),
        what: z.enum(['report', 'chat']),
        target: z.string().nullable().describe('Keyed hash of what was read, as in the audit log.'),
      }),
    )
    .describe('The latest readings, newest first.'),
  staffReading: z.boolean().describe('Whether staff can read chats whose visitors have accepted that: `STAFF_READING=all`.'),
})
export type PrivacyReport = z.infer<typeof PrivacyReport>

export const PrivacyCsvQuery = z.strictObject({ table: z.enum(PRIVACY_TABLES) })

export { PrivacyNotice, PrivacyNoticeQuery }
