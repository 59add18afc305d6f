import { createHmac } from 'node:crypto'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import { SHARED_DEVICE_MS } from '../../../contract/chat/retention.ts'
import type { SignInAnswer } from '../../../contract/sign-in.ts'
import type { SignInSettings } from '../../config/sign-in-settings.ts'
import type { Database } from '../../store/engine/database.ts'
import { signInVisitor } from '../../store/visitors/identities.ts'
import { deleteVisitorKey } from '../../store/visitors/visitors.ts'
import type { ErasureLedger } from '../erasure-ledger.ts'
import type { Caller } from '../resolve.ts'
import { hashOfVisitorKey, newSub, newVisitorKey } from '../visitor-key.ts'
import { MAX_DEVICES } from '../transfers.ts'
import { AttemptSeal } from '../../oidc/attempt.ts'
import { type Account, isProviderUnavailable, OidcClient, reasonOf } from '../../oidc/oidc-client.ts'

/** Concurrent sign-ins that wait for the provider; further ones are rejected. */
const MAX_WAITING = 50

export interface SignInOptions {
  settings: SignInSettings
  database: Database
  installationKey: string
  ledger: Pick<ErasureLedger, 'deleteAllRecorded'>
  now: () => number
  /** Receives the reasons of provider failures, without tokens or claims. */
  onWarning: (message: string) => void
}

/** `key` is the device's new key, which is not stored. On a shared computer it keeps the expiry of the previous key. */
type SignedIn = { kind: 'signed-in'; key: string; visitor: string; device: 'shared' | undefined }

/** Sign-in with the operator's provider: links an anonymous visitor to an account, for use on other devices. */
export class SignIn {
  readonly #options: SignInOptions
  readonly #client: OidcClient
  readonly #seal: AttemptSeal
  #waiting = 0

  constructor(options: SignInOptions) {
    this.#options = options
    this.#client = new OidcClient(options.settings, options.now)
    this.#seal = new AttemptSeal(options.installationKey, 'sign-in', options.now)
  }

  /** Starts a sign-in. `address` is the provider's page; the browser stores `attempt` until the callback. */
  async begin(redirectUri: string): Promise<{ kind: 'begun'; address: string; attempt: string } | Rejection> {
    const outcome = await this.#asked(() => this.#client.authorize(redirectUri))
    if (outcome.kind === 'rejected') return outcome
    const { address, attempt } = outcome.value
    return { kind: 'begun', address, attempt: await this.#seal.seal(attempt) }
  }

  /**
   * Completes a sign-in. The device gets a new key, so an earlier copy of its key gives no access to the account; sessions of an anonymous
   * caller move to the account. `attempt` comes from the browser's cookie; without it, the response belongs to another browser.
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

  /** Revokes the key of the caller's device. Returns the provider's sign-out page, if known. */
  async end(caller: Caller, returnTo: string): Promise<string | null> {
    const { key } = caller
    const { database, ledger } = this.#options
    if (key) await ledger.deleteAllRecorded(database, 'device', (transaction) => deleteVisitorKey(transaction, key.keyHash))
    const outcome = await this.#asked(() => this.#client.endSessionAddress(returnTo))
    return outcome.kind === 'rejected' ? null : outcome.value
  }

  /** Stores the subject as an HMAC, so the database alone does not identify the account. */
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
      this.#options.onWarning(`Signing a visitor in at the provider failed; they can try again: ${reasonOf(error)}`)
      return rejection(isProviderUnavailable(error) ? 'sign_in_unavailable' : 'sign_in_failed')
    } finally {
      this.#waiting -= 1
    }
  }
}
