import { isLoopbackHost } from './host-names.ts'
import { text, url } from './setting-schemas.ts'

export const SIGN_IN_ENVIRONMENT = {
  OIDC_ISSUER: url(/^https?$/, 'https://login.example.org/realms/main')
    .optional()
    .describe('Issuer URL of the OpenID Connect provider. Sign-in is off if unset.'),
  OIDC_CLIENT_ID: text.max(500).optional().describe('Client ID at the provider.'),
  OIDC_CLIENT_SECRET: text.optional().describe('Client secret at the provider. Leave unset for a public client, which uses PKCE only.'),
  OIDC_SCOPE: text
    .max(500)
    .regex(/^[\w.:/-]+( [\w.:/-]+)*$/, 'must be names with a space between them')
    .refine((value) => value.split(' ').includes('openid'), 'must contain openid')
    .default('openid')
    .describe('Scopes to request. With `openid profile`, the visitor’s name is requested, shown and stored.'),
}

interface SignInEnvironment {
  HOST: string
  PUBLIC_URL?: string | undefined
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
  OIDC_SCOPE: string
}

/** The OpenID Connect provider for sign-in. */
export interface SignInSettings {
  issuer: string
  clientId: string
  /** `null` for a public client. */
  clientSecret: string | null
  scope: string
}

/** Mistakes in the combination of these settings. */
export function signInMistakes({ OIDC_ISSUER, OIDC_CLIENT_ID, PUBLIC_URL, HOST }: SignInEnvironment): string[] {
  if (!OIDC_ISSUER) return OIDC_CLIENT_ID ? ['OIDC_CLIENT_ID needs OIDC_ISSUER'] : []
  const { protocol, hostname } = new URL(OIDC_ISSUER)
  const mistakes: string[] = []
  if (!OIDC_CLIENT_ID) mistakes.push('OIDC_CLIENT_ID is missing, name this installation as the provider knows it')
  if (protocol === 'http:' && !isLoopbackHost(hostname)) mistakes.push('OIDC_ISSUER must be https, except on this machine')
  if (!PUBLIC_URL && !isLoopbackHost(HOST)) mistakes.push('PUBLIC_URL is missing, OIDC_ISSUER needs to know where visitors come back to')
  return mistakes
}

/** `null` if visitors can't sign in. */
export function signInSettings(environment: SignInEnvironment): SignInSettings | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_SCOPE } = environment
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) return null
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET ?? null, scope: OIDC_SCOPE }
}
