import { expect, test } from 'vitest'
import type { StaffRole } from '../../contract/staff/roles.ts'
import { roleIn } from './provider-sign-in.ts'

const roles = new Map<string, StaffRole>([
  ['admins', 'owner'],
  ['press', 'editor'],
  ['all', 'viewer'],
])

test.each([
  { claims: { roles: 'press' }, path: 'roles', role: 'editor' },
  { claims: { roles: ['all', 'press'] }, path: 'roles', role: 'editor' },
  { claims: { realm_access: { roles: ['all', 'admins'] } }, path: 'realm_access.roles', role: 'owner' },
  { claims: { roles: ['owner'] }, path: 'roles', role: null },
  { claims: { roles: [{ name: 'admins' }, 7, null] }, path: 'roles', role: null },
  { claims: { roles: { admins: true } }, path: 'roles', role: null },
  { claims: {}, path: 'constructor.name', role: null },
  { claims: { realm_access: null }, path: 'realm_access.roles', role: null },
])('$claims give $role by $path', ({ claims, path, role }) => {
  expect(roleIn(claims, { rolesClaim: path.split('.'), roles })).toBe(role)
})
