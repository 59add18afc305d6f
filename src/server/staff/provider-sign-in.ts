import { createHmac } from 'node:crypto'
import { STAFF_ROLES, type StaffRole } from '../../contract/staff/roles.ts'
import type { SignInAnswer } from '../../contract/sign-in.ts'
import type { StaffProviderSettings } from '../config/staff-sign-in-settings.ts'
import { firstKey, type InstallationKeys } from '../keys.ts'
import { AttemptSeal } from '../oidc/attempt.ts'
import { type Account, isProviderUnavailable, OidcClient, reasonOf } from '../oidc/oidc-client.ts'

/** The provider must have asked for the credentials within this time: sensitive actions count on it. */
const MAX_AGE_S = 15 * 60
const MAX_DEPTH = 5
const MAX_NAME_CHARACTERS = 100

export interface ProviderSignInOptions {
  settings: StaffProviderSettings
  /** Turns accounts into ids of staff, and encrypts attempts. */
  keys: InstallationKeys
  now: () => number
  /** Receives the reasons of provider failures, without tokens or claims. */
  onWarning: (message: string) => void
}

export interface ProvidedMember {
  id: string
  name: string
  /** `null` for somebody without a role here. */
  role: StaffRole | null
  /** When the provider asked for the credentials, in milliseconds since the epoch. */
  authenticatedAt: number
}

export type ProviderFailure = 'unavailable' | 'failed'

/** Sign-in of staff with the operator's provider, which gives each person a role. */
export class ProviderSignIn {
  readonly #options: ProviderSignInOptions
  readonly #client: OidcClient
  readonly #seal: AttemptSeal

  constructor(options: ProviderSignInOptions) {
    this.#options = options
    this.#client = new OidcClient({ ...options.settings, maxAgeS: MAX_AGE_S }, options.now)
    this.#seal = new AttemptSeal(options.keys, options.now)
  }

  /** Starts a sign-in. `address` is the provider's page; the browser keeps `attempt` until it comes back. */
  begin(redirectUri: string): Promise<{ address: string; attempt: string } | ProviderFailure> {
    return this.#asked(async () => {
      const { address, attempt } = await this.#client.authorize(redirectUri)
      return { address, attempt: await this.#seal.seal(attempt) }
    })
  }

  async complete(attempt: string | null, answer: SignInAnswer): Promise<ProvidedMember | ProviderFailure> {
    const opened = attempt === null ? undefined : await this.#seal.open(attempt)
    if (!opened) return 'failed'
    const account = await this.#asked(() => this.#client.exchange(opened, answer))
    return typeof account === 'string' ? account : this.#memberOf(account)
  }

  #memberOf({ issuer, subject, name, claims }: Account): ProvidedMember {
    const { keys, settings } = this.#options
    const id = createHmac('sha256', firstKey(keys))
      .update(JSON.stringify(['staff identity', issuer, subject]))
      .digest('hex')
      .slice(0, 16)
    return {
      id,
      name: (name ?? subject).slice(0, MAX_NAME_CHARACTERS),
      role: roleIn(claims, settings),
      authenticatedAt: Number(claims['auth_time']) * 1000 || 0,
    }
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T | ProviderFailure> {
    try {
      return await ask()
    } catch (error) {
      this.#options.onWarning(`Signing in staff at the provider failed; they can try again or use a link: ${reasonOf(error)}`)
      return isProviderUnavailable(error) ? 'unavailable' : 'failed'
    }
  }
}

/** The role with most rights among those that the claim gives; `null` if it gives none. */
export function roleIn(
  claims: Readonly<Record<string, unknown>>,
  { rolesClaim, roles }: Pick<StaffProviderSettings, 'rolesClaim' | 'roles'>,
): StaffRole | null {
  let value: unknown = claims
  for (const name of rolesClaim.slice(0, MAX_DEPTH))
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  const given = new Set((Array.isArray(value) ? value : [value]).flatMap((one) => (typeof one === 'string' ? (roles.get(one) ?? []) : [])))
  return STAFF_ROLES.find((role) => given.has(role)) ?? null
}
