import type { InstallationStatus } from '../../contract/staff/status.ts'
import type { AuditLog } from '../staff/audit.ts'
import type { Passkeys } from '../staff/passkeys.ts'
import type { StaffAccess } from '../staff/staff-access.ts'
import type { Database } from '../store/database.ts'
import type { StaffCookie } from './staff-cookie.ts'

/** Dependencies of the console's routes. */
export interface ConsoleRouteOptions {
  database: Database
  audit: AuditLog
  access: StaffAccess
  passkeys: () => Passkeys
  cookie: StaffCookie
  /** Origin under which staff open the console. */
  origin: () => string
  status: () => Promise<InstallationStatus>
  now: () => number
}
