import { z } from 'zod'
import { plainName } from './person-name.ts'
import { StaffId, StaffRoleName } from './session.ts'

const Timestamp = z.iso.datetime()

/** Name that stands beside changes. */
export const ActorName = z.string().max(1_000).transform(plainName).pipe(z.string().min(1).max(100))

export const OwnName = z.strictObject({ name: ActorName })

const StaffPerson = z.object({
  id: StaffId,
  name: z.string(),
  role: StaffRoleName,
  isFromProvider: z.boolean(),
  joinedAt: Timestamp,
  passkeys: z.int(),
})
export const StaffList = z.object({ staff: z.array(StaffPerson) })
export type StaffList = z.infer<typeof StaffList>

export const NewInvitation = z.strictObject({
  name: ActorName.describe('Who joins, such as a name or an e-mail address.'),
  role: StaffRoleName,
  hours: z.int().min(1).max(168).default(24).describe('How long the link works.'),
})

/** A link that works once. It is shown only now: the server stores a hash. */
export const Invitation = z.object({ url: z.string(), expiresAt: Timestamp })
export type Invitation = z.infer<typeof Invitation>

/** Entries of the audit log, newest first. Targets are keyed hashes. */
export const AuditPage = z.object({
  entries: z.array(
    z.object({
      number: z.int(),
      at: Timestamp,
      actor: z.string(),
      actorName: z.string().nullable(),
      action: z.string(),
      target: z.string().nullable(),
    }),
  ),
  before: z.int().nullable().describe('Pass it as `before` to get older entries; `null` at the end.'),
})
export type AuditPage = z.infer<typeof AuditPage>
const AuditFilters = {
  area: z
    .string()
    .regex(/^[a-z][a-z-]{0,30}$/)
    .optional()
    .describe('Entries whose action begins with it, such as `stop` for `stop.start`.'),
  actor: z.union([StaffId, z.literal('operator'), z.string().regex(/^token:[0-9a-f]{16}$/)]).optional(),
}
export const AuditCsvQuery = z.strictObject(AuditFilters)
export const AuditQuery = z.strictObject({
  ...AuditFilters,
  before: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
})

export const AuditVerdict = z.object({
  isIntact: z.boolean(),
  entries: z.int().optional(),
  brokenAt: z.int().optional().describe('The first entry that was changed or removed.'),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>
