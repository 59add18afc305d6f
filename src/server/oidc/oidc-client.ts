import * as openid from 'openid-client'
import type { SignInAnswer } from '../../contract/sign-in.ts'
import type { StaffProviderSettings } from '../config/staff-sign-in-settings.ts'
import type { Attempt } from './attempt.ts'
import { createIssuerFetch, IssuerUnavailable } from './issuer-fetch.ts'

const METADATA_LIFE_MS = 60 * 60 * 1000
const MAX_NAME_CHARACTERS = 80

/** An account at the provider. `name` is `null` unless the operator's scope requests it. */
export interface Account {
  issuer: string
  subject: string
  name: string | null
  claims: Readonly<Record<string, unknown>>
}

export interface OidcClientSettings extends Pick<StaffProviderSettings, 'issuer' | 'clientId' | 'clientSecret' | 'scope'> {
  /** The provider must have asked for the account's credentials at most so long ago, and say when; any time if unset. */
  maxAgeS?: number
}

/** OpenID Connect client: code flow with PKCE. Fetches metadata on first use, so the provider may be unavailable at startup. */
export class OidcClient {
  readonly #settings: OidcClientSettings
  readonly #now: () => number
  #metadata: { configuration: Promise<openid.Configuration>; until: number } | null = null

  constructor(settings: OidcClientSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /** The authorization URL, and the attempt to check the callback against. Rejects if the provider is unavailable. */
  async authorize(redirectUri: string): Promise<{ address: string; attempt: Attempt }> {
    const configuration = await this.#discovered()
    const attempt = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
      redirectUri,
    }
    const address = openid.buildAuthorizationUrl(configuration, {
      scope: this.#settings.scope,
      redirect_uri: redirectUri,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...(this.#settings.maxAgeS !== undefined && { max_age: String(this.#settings.maxAgeS) }),
    })
    return { address: address.href, attempt }
  }

  /**
   * Exchanges the code for the account. The library validates state, issuer, PKCE, and the ID token's signature, audience, times and
   * nonce. Rejects if validation fails or the provider is unavailable (see `isProviderUnavailable`).
   */
  async exchange({ redirectUri, state, nonce, verifier }: Attempt, answer: SignInAnswer): Promise<Account> {
    const configuration = await this.#discovered()
    const landing = new URL(redirectUri)
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) landing.searchParams.set(name, value)
    const { maxAgeS } = this.#settings
    const age = maxAgeS === undefined ? {} : { maxAge: maxAgeS }
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true, ...age }
    const tokens = await openid.authorizationCodeGrant(configuration, landing, checks)
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider sent no ID token')
    const name = requestsName(this.#settings.scope)
      ? (nameOf(claims) ?? (await nameOfUserInfo(configuration, tokens.access_token, claims.sub)))
      : null
    return { issuer: claims.iss, subject: claims.sub, name, claims }
  }

  #discovered(): Promise<openid.Configuration> {
    if (this.#metadata && this.#now() < this.#metadata.until) return this.#metadata.configuration
    const metadata = { configuration: this.#discover(), until: this.#now() + METADATA_LIFE_MS }
    this.#metadata = metadata
    // A failure is not cached, so the next sign-in retries. The caller gets it from the promise itself.
    metadata.configuration.catch(() => {
      if (this.#metadata === metadata) this.#metadata = null
    })
    return metadata.configuration
  }

  #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const execute = [openid.enableNonRepudiationChecks]
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning; the settings allow http on this machine only
    if (issuer.startsWith('http:')) execute.push(openid.allowInsecureRequests)
    const authentication = clientSecret === null ? openid.None() : withSecret(clientSecret)
    const options = { execute, [openid.customFetch]: createIssuerFetch() }
    return openid.discovery(new URL(issuer), clientId, undefined, authentication, options)
  }
}

/** Whether an error of this client is temporary. */
export function isProviderUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof IssuerUnavailable) return true
  return false
}

/** The loggable part of an error of this client: codes and statuses, no claims or tokens. */
export function reasonOf(error: unknown): string {
  const { name, code, error: oauthError } = error as { name?: string; code?: string; error?: string }
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof IssuerUnavailable) return cause.message
  return [name, code, oauthError].filter((part) => typeof part === 'string').join(' ')
}

/** Sends the secret in the `Authorization` header, the protocol's default, unless the provider accepts it only in the body. */
function withSecret(secret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** Some providers return the name from this endpoint only. */
async function nameOfUserInfo(configuration: openid.Configuration, accessToken: string, subject: string): Promise<string | null> {
  if (!configuration.serverMetadata().userinfo_endpoint) return null
  return nameOf(await openid.fetchUserInfo(configuration, accessToken, subject))
}

/** The display name: one line without control characters; `null` if none. */
function nameOf(claims: Record<string, unknown>): string | null {
  const given = [claims['name'], claims['preferred_username'], claims['email']].find((value) => typeof value === 'string')
  const name = (given ?? '').replace(/[\p{C}\s]+/gu, ' ').trim()
  return [...name].slice(0, MAX_NAME_CHARACTERS).join('').trim() || null
}

/** Whether a scope requests the name (OpenID Connect Core 1.0, 5.4). */
function requestsName(scope: string): boolean {
  return scope.split(' ').some((name) => name === 'profile' || name === 'email')
}
