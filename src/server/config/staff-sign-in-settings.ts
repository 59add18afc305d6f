import type { z } from 'zod'
import { STAFF_ROLES, type StaffRole } from '../../contract/staff/roles.ts'
import { isLoopbackHost } from './host-names.ts'
import { text, url } from './setting-schemas.ts'

const ROLE = /^(.+)=(owner|editor|reviewer|viewer)$/

export const STAFF_SIGN_IN_ENVIRONMENT = {
  STAFF_OIDC_ISSUER: url(/^https?$/, 'https://login.example.org/realms/staff')
    .optional()
    .describe('Issuer URL of the OpenID Connect provider with which staff sign in to the console. Without it, they use passkeys.'),
  STAFF_OIDC_CLIENT_ID: text.max(500).optional().describe('Client ID of the console at that provider.'),
  STAFF_OIDC_CLIENT_SECRET: text
    .optional()
    .describe('Client secret of the console at that provider. Leave unset for a public client, which uses PKCE only.'),
  STAFF_OIDC_SCOPE: text
    .max(500)
    .regex(/^[\w.:/-]+( [\w.:/-]+)*$/, 'must be names with a space between them')
    .refine((value) => value.split(' ').includes('openid'), 'must contain openid')
    .default('openid profile')
    .describe('Scopes to request for staff.'),
  STAFF_OIDC_ROLES_CLAIM: text
    .max(200)
    .default('roles')
    .describe('Claim of the ID token with the roles, a text or a list; a dot leads into an object, such as `realm_access.roles`.'),
  STAFF_OIDC_ROLES: text
    .max(2_000)
    .optional()
    .refine(
      (value) => value === undefined || value.split(',').every((pair) => ROLE.test(pair.trim())),
      `must be like parley-admins=owner,press=viewer, with the roles ${STAFF_ROLES.join(', ')}`,
    )
    .describe('Which values of the claim give which role, such as `parley-admins=owner,press=viewer`. By default, the names of the roles.'),
}

export type StaffSignInEnvironment = z.infer<z.ZodObject<typeof STAFF_SIGN_IN_ENVIRONMENT>>

export type StaffProviderSettings = NonNullable<ReturnType<typeof staffProviderSettings>>

export function staffProviderMistakes({ STAFF_OIDC_ISSUER, STAFF_OIDC_CLIENT_ID }: StaffSignInEnvironment): string[] {
  if (!STAFF_OIDC_ISSUER) return STAFF_OIDC_CLIENT_ID ? ['STAFF_OIDC_CLIENT_ID needs STAFF_OIDC_ISSUER'] : []
  const { protocol, hostname } = new URL(STAFF_OIDC_ISSUER)
  const mistakes: string[] = []
  if (!STAFF_OIDC_CLIENT_ID) mistakes.push('STAFF_OIDC_CLIENT_ID is missing, name the console as the provider knows it')
  if (protocol === 'http:' && !isLoopbackHost(hostname)) mistakes.push('STAFF_OIDC_ISSUER must be https, except on this machine')
  return mistakes
}

/** `null` if staff sign in with passkeys alone. */
export function staffProviderSettings(environment: StaffSignInEnvironment) {
  const { STAFF_OIDC_ISSUER, STAFF_OIDC_CLIENT_ID, STAFF_OIDC_CLIENT_SECRET, STAFF_OIDC_ROLES } = environment
  if (!STAFF_OIDC_ISSUER || !STAFF_OIDC_CLIENT_ID) return null
  const pairs = STAFF_OIDC_ROLES?.split(',').map((pair) => ROLE.exec(pair.trim())) ?? STAFF_ROLES.map((role) => ['', role, role] as const)
  return {
    issuer: STAFF_OIDC_ISSUER,
    clientId: STAFF_OIDC_CLIENT_ID,
    clientSecret: STAFF_OIDC_CLIENT_SECRET ?? null,
    scope: environment.STAFF_OIDC_SCOPE,
    rolesClaim: environment.STAFF_OIDC_ROLES_CLAIM.split('.'),
    roles: new Map(pairs.flatMap((pair) => (pair?.[1] && pair[2] ? [[pair[1], pair[2] as StaffRole] as const] : []))),
  }
}
