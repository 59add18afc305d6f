import { createHmac } from 'node:crypto'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import { SHARED_DEVICE_MS } from '../../../contract/retention.ts'
import type { SignInAnswer } from '../../../contract/sign-in.ts'
import type { SignInSettings } from '../../config/config.ts'
import type { Database } from '../../store/database.ts'
import { signInVisitor } from '../../store/identities.ts'
import { deleteVisitorKey } from '../../store/visitors.ts'
import type { Caller } from '../resolve.ts'
import { hashOfVisitorKey, newSub, newVisitorKey } from '../visitor-key.ts'
import { MAX_DEVICES } from '../transfer/transfer-limits.ts'
import { AttemptSeal } from './attempt.ts'
import { type Account, isAway, OidcClient, reasonOf } from './oidc-client.ts'

/** Sign-ins that wait for the provider at the same time; more are asked to come back. */
const MAX_WAITING = 50

export interface SignInOptions {
  settings: SignInSettings
  database: Database
  installationKey: string
  now: () => number
  /** Hears why the provider could not be used, in codes: no token, no claim. */
  onWarning: (message: string) => void
}

/** `key` is the device's new one, to be given to it and kept nowhere; on a shared computer it ends as the one before would. */
type SignedIn = { kind: 'signed-in'; key: string; visitor: string; device: 'shared' | undefined }

/** Signing in with the operator's provider: an anonymous visitor becomes one that other devices can be, too. */
export class SignIn {
  readonly #options: SignInOptions
  readonly #client: OidcClient
  readonly #seal: AttemptSeal
  #waiting = 0

  constructor(options: SignInOptions) {
    this.#options = options
    this.#client = new OidcClient(options.settings, options.now)
    this.#seal = new AttemptSeal(options.installationKey, options.now)
  }

  /** Where the visitor goes to sign in; `attempt` is for their browser to keep until they are back. */
  async begin(redirectUri: string): Promise<{ kind: 'begun'; address: string; attempt: string } | Rejection> {
    const outcome = await this.#asked(() => this.#client.authorize(redirectUri))
    if (outcome.kind === 'rejected') return outcome
    const { address, attempt } = outcome.value
    return { kind: 'begun', address, attempt: await this.#seal.seal(attempt) }
  }

  /**
   * Ends the way back. The device gets a new key, so that whoever knew the old one is not signed in with it; the sessions of
   * an anonymous caller go along. `attempt` is what the browser kept: without it, the answer is another browser's.
   */
  async complete(caller: Caller, attempt: string | undefined, answer: SignInAnswer): Promise<SignedIn | Rejection> {
    const opened = attempt === undefined ? undefined : await this.#seal.open(attempt)
    if (!opened) return rejection('sign_in_failed')
    const outcome = await this.#asked(() => this.#client.exchange(opened, answer))
    if (outcome.kind === 'rejected') return outcome
    const key = newVisitorKey()
    const now = this.#options.now()
    const isShared = caller.key !== null && caller.key.expiresAt !== null
    const visitor = await signInVisitor(this.#options.database, {
      identity: { hash: this.#hashOf(outcome.value), name: outcome.value.name },
      newVisitor: { id: newSub(), keyHash: hashOfVisitorKey(key), ...(isShared && { keyExpiresAt: now + SHARED_DEVICE_MS }) },
      from: caller.key,
      maxDevices: MAX_DEVICES,
      now,
    })
    return { kind: 'signed-in', key, visitor, device: isShared ? 'shared' : undefined }
  }

  /** Revokes the key of the caller's device. Returns where they can sign out at the provider as well, if that is known. */
  async end(caller: Caller, returnTo: string): Promise<string | null> {
    if (caller.key) await deleteVisitorKey(this.#options.database, caller.key.keyHash)
    const outcome = await this.#asked(() => this.#client.endSessionAddress(returnTo))
    return outcome.kind === 'rejected' ? null : outcome.value
  }

  /** The subject is stored as an HMAC: whoever has the database alone can't tell whose it is. */
  #hashOf({ issuer, subject }: Account): string {
    const { installationKey } = this.#options
    return createHmac('sha256', installationKey)
      .update(JSON.stringify(['identity', issuer, subject]))
      .digest('base64url')
  }

  async #asked<T>(ask: () => Promise<T>): Promise<{ kind: 'value'; value: T } | Rejection> {
    if (this.#waiting >= MAX_WAITING) return rejection('sign_in_unavailable')
    this.#waiting += 1
    try {
      return { kind: 'value', value: await ask() }
    } catch (error) {
      this.#options.onWarning(`The sign-in provider could not be used: ${reasonOf(error)}`)
      return rejection(isAway(error) ? 'sign_in_unavailable' : 'sign_in_failed')
    } finally {
      this.#waiting -= 1
    }
  }
}
