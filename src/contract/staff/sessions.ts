import { z } from 'zod'

export const StaffSessionId = z.string().regex(/^[0-9a-f]{16}$/)

export const OpenSession = z.object({
  id: StaffSessionId,
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().describe('To about a minute.'),
  expiresAt: z.iso.datetime(),
  isCurrent: z.boolean().describe('Whether this call uses it.'),
})
export const OpenSessionList = z.object({ sessions: z.array(OpenSession) })
export type OpenSessionList = z.infer<typeof OpenSessionList>
