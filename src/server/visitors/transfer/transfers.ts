import { randomUUID } from 'node:crypto'
import { SHARED_DEVICE_MS } from '../../../contract/retention.ts'
import type { Database } from '../../store/database.ts'
import { beginTry, insertTransfer, type TransferOutcome, useTransfer, withdrawTry } from '../../store/transfers.ts'
import type { VisitorKey } from '../../store/visitors.ts'
import { hashOfVisitorKey, newVisitorKey } from '../visitor-key.ts'
import { hashOfNetwork, hashOfTransferCode, newTransferCode } from './transfer-code.ts'
import { CODE_LIFETIME_MS, MAX_DEVICES, MAX_TRIES, MAX_TRIES_OF_NETWORK, TRIES_WINDOW_MS } from './transfer-limits.ts'

export interface TransfersOptions {
  database: Database
  installationKey: string
  now: () => number
}

export interface Move {
  code: string
  /** From where; null for a client that is not limited by network. */
  network: string | null
  from: VisitorKey | null
  /** The chats that the device has so far need not stay within reach. */
  replace: boolean
  device: 'shared' | undefined
}

export type Moved =
  | Exclude<TransferOutcome, { kind: 'moved' }>
  | (Extract<TransferOutcome, { kind: 'moved' }> & { key: string })
  | { kind: 'too_many_tries' }

/** Takes a visitor to another device by a code of six words, which lives ten minutes and is used once. */
export class Transfers {
  readonly #options: TransfersOptions

  constructor(options: TransfersOptions) {
    this.#options = options
  }

  /** A new code for this visitor; only its hash is stored. */
  async begin(visitorId: string): Promise<{ code: string; expiresAt: number }> {
    const { database, installationKey, now } = this.#options
    const code = await newTransferCode()
    const expiresAt = now() + CODE_LIFETIME_MS
    await insertTransfer(database, { codeHash: hashOfTransferCode(code, installationKey), visitorId, expiresAt })
    return { code, expiresAt }
  }

  /** Makes a device one of the visitor whose code it gives. Wrong codes are counted, of a network and in all, and soon no longer looked at. */
  async use({ code, network, from, replace, device }: Move): Promise<Moved> {
    const { database, installationKey, now } = this.#options
    const attempt = { id: randomUUID(), network: network === null ? '' : hashOfNetwork(network, installationKey, now()), now: now() }
    const tries = await beginTry(database, attempt, attempt.now - TRIES_WINDOW_MS)
    if (tries.all > MAX_TRIES || (network !== null && tries.ofNetwork > MAX_TRIES_OF_NETWORK)) {
      await withdrawTry(database, attempt.id)
      return { kind: 'too_many_tries' }
    }
    const key = newVisitorKey()
    const outcome = await useTransfer(database, {
      codeHash: hashOfTransferCode(code, installationKey),
      key: { keyHash: hashOfVisitorKey(key), expiresAt: device ? attempt.now + SHARED_DEVICE_MS : null },
      from,
      mayLeave: replace,
      maxDevices: MAX_DEVICES,
      now: attempt.now,
    })
    if (outcome.kind !== 'unknown') await withdrawTry(database, attempt.id)
    return outcome.kind === 'moved' ? { ...outcome, key } : outcome
  }
}
