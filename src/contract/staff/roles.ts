/** Roles of staff, from all rights to figures alone. */
export const STAFF_ROLES = ['owner', 'editor', 'reviewer', 'viewer'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** Roles that have each right. All staff may use their own session and passkeys. */
const STAFF_RIGHTS = {
  'read-status': ['owner', 'editor', 'reviewer', 'viewer'],
  'read-figures': ['owner', 'editor', 'reviewer', 'viewer'],
  'read-questions': ['owner', 'editor', 'reviewer'],
  'read-knowledge': ['owner', 'editor', 'reviewer'],
  'change-knowledge': ['owner', 'editor'],
  'dismiss-questions': ['owner', 'editor'],
  'read-agents': ['owner', 'editor', 'reviewer'],
  'change-agents': ['owner', 'editor'],
  'publish-anyway': ['owner'],
  'read-reports': ['owner', 'editor', 'reviewer'],
  'read-chats': ['owner', 'editor', 'reviewer'],
  'change-stops': ['owner', 'editor'],
  'change-limits': ['owner', 'editor'],
  'change-budgets': ['owner'],
  'read-privacy': ['owner', 'editor', 'reviewer', 'viewer'],
  'connect-model': ['owner'],
  'manage-staff': ['owner'],
  'read-audit-log': ['owner'],
} as const satisfies Record<string, readonly StaffRole[]>
export type StaffRight = keyof typeof STAFF_RIGHTS

export function hasRight(role: StaffRole, right: StaffRight): boolean {
  return (STAFF_RIGHTS[right] as readonly StaffRole[]).includes(role)
}
