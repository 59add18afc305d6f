/** What staff can be, from all rights to figures alone. */
export const STAFF_ROLES = ['owner', 'editor', 'reviewer', 'viewer'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** What each role may do. Everybody on the staff may use their own session and passkeys. */
export const STAFF_RIGHTS = {
  'read-status': ['owner', 'editor', 'reviewer', 'viewer'],
  'change-stops': ['owner', 'editor'],
  'manage-staff': ['owner'],
  'read-audit-log': ['owner'],
} as const satisfies Record<string, readonly StaffRole[]>
export type StaffRight = keyof typeof STAFF_RIGHTS

export function hasRight(role: StaffRole, right: StaffRight): boolean {
  return (STAFF_RIGHTS[right] as readonly StaffRole[]).includes(role)
}
