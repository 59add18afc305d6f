/** What staff can be, from all rights to figures alone. */
export const STAFF_ROLES = ['owner', 'editor', 'reviewer', 'viewer'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]
