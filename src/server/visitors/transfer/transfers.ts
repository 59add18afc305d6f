import { randomUUID } from 'node:crypto'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import { SHARED_DEVICE_MS } from '../../../contract/retention.ts'
import type { Database } from '../../store/database.ts'
import { beginAttempt, insertTransfer, type TransferOutcome, useTransfer, withdrawAttempt } from '../../store/transfers.ts'
import type { VisitorKey } from '../../store/visitors.ts'
import { hashOfVisitorKey, newVisitorKey } from '../visitor-key.ts'
import { hashOfSubject, hashOfTransferCode, newTransferCode } from './transfer-code.ts'
import { ATTEMPTS_WINDOW_MS, CODE_LIFETIME_MS, MAX_ATTEMPTS, MAX_DEVICES, SLOW_ATTEMPT_MS, SLOW_FROM_ATTEMPTS } from './transfer-limits.ts'

export interface TransfersOptions {
  database: Database
  installationKey: string
  now: () => number
  /** Resolves after `ms`. */
  pause: (ms: number) => Promise<unknown>
}

/** Subject under which all attempts are counted. */
const EVERYBODY = 'all'

/** The IPv4 address or IPv6 /64 of a request, and the IPv6 /48 around it. */
interface RequestNetwork {
  own: string
  wide: string | null
}

/** A code entered on a device, and the key of the chats that it has so far. */
export interface TransferRequest {
  code: string
  /** `null` for a client without network limits. */
  network: RequestNetwork | null
  from: VisitorKey | null
  /** Confirms that the device loses access to its current chats. */
  replace: boolean
  device: 'shared' | undefined
}

/** `key` is the device's new key. */
export type TransferResult = (Exclude<TransferOutcome, Rejection> & { key: string }) | Rejection

/** Adds devices to a visitor with a code of six words, valid once and for ten minutes. */
export class Transfers {
  readonly #options: TransfersOptions

  constructor(options: TransfersOptions) {
    this.#options = options
  }

  /** Creates a code for this visitor; only its hash is stored. */
  async begin(visitorId: string): Promise<{ code: string; expiresAt: number }> {
    const { database, installationKey, now } = this.#options
    const code = await newTransferCode()
    const expiresAt = now() + CODE_LIFETIME_MS
    await insertTransfer(database, { codeHash: hashOfTransferCode(code, installationKey), visitorId, expiresAt })
    return { code, expiresAt }
  }

  /** Redeems a code, which adds the device to the visitor who created it. Counts wrong codes per network and visitor; over a limit, checks none. */
  async use({ code, network, from, replace, device }: TransferRequest): Promise<TransferResult> {
    const { database, installationKey, now, pause } = this.#options
    const attempt = { id: randomUUID(), now: now() }
    const limits = this.#limitsOf(network, from, attempt.now)
    const subjects = [...limits.keys()]
    const counts = await beginAttempt(database, { ...attempt, subjects }, attempt.now - ATTEMPTS_WINDOW_MS)
    if ([...limits].some(([subject, limit]) => (counts.get(subject) ?? 0) > limit)) {
      await withdrawAttempt(database, attempt.id, subjects)
      return rejection('too_many_attempts', { retryAfterS: ATTEMPTS_WINDOW_MS / 1000 })
    }
    if ((counts.get(EVERYBODY) ?? 0) > SLOW_FROM_ATTEMPTS) await pause(SLOW_ATTEMPT_MS)
    const key = newVisitorKey()
    const outcome = await useTransfer(database, {
      codeHash: hashOfTransferCode(code, installationKey),
      key: { keyHash: hashOfVisitorKey(key), expiresAt: device ? attempt.now + SHARED_DEVICE_MS : null },
      from,
      mayLeave: replace,
      maxDevices: MAX_DEVICES,
      now: attempt.now,
    })
    const isWrongCode = outcome.kind === 'rejected' && outcome.code === 'transfer_code_unknown'
    if (!isWrongCode) await withdrawAttempt(database, attempt.id, subjects)
    return outcome.kind === 'moved' ? { ...outcome, key } : outcome
  }

  /** Limits on wrong codes, by hashed subject. */
  #limitsOf(network: RequestNetwork | null, from: VisitorKey | null, now: number): Map<string, number> {
    const { installationKey } = this.#options
    const subjects: [string | null | undefined, number][] = [
      [network?.own, MAX_ATTEMPTS.own],
      [network?.wide, MAX_ATTEMPTS.wide],
      [from && `visitor ${from.visitorId}`, MAX_ATTEMPTS.visitor],
    ]
    const hashed = subjects.flatMap(([subject, limit]) => (subject ? [[hashOfSubject(subject, installationKey, now), limit] as const] : []))
    return new Map([[EVERYBODY, Number.POSITIVE_INFINITY], ...hashed])
  }
}
