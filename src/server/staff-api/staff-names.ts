import { OPERATOR } from '../staff/audit.ts'
import type { Database } from '../store/engine/database.ts'
import { listStaff } from '../store/staff/staff.ts'

/** Names the people by whose ids changes are stored. */
export async function readStaffNames(database: Database, now: number): Promise<(by: string) => string> {
  const staff = await listStaff(database, now)
  return (by) => (by === OPERATOR ? 'Operator' : (staff.find((member) => member.id === by)?.name ?? 'Somebody who has left'))
}
