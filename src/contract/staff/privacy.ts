import { z } from 'zod'
import { StaffId, StaffRoleName } from './session.ts'

const Timestamp = z.iso.datetime()

export const PrivacyReport = z.object({
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
