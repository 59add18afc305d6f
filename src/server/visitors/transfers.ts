import { hash, randomBytes } from 'node:crypto'
import type { Rejection } from '../../contract/rejection.ts'
import { SHARED_DEVICE_MS } from '../../contract/chat/retention.ts'
import type { Database } from '../store/engine/database.ts'
import { insertTransfer, type TransferOutcome, useTransfer } from '../store/visitors/transfers.ts'
import type { VisitorKey } from '../store/visitors/visitors.ts'
import { hashOfVisitorKey, newVisitorKey } from './visitor-key.ts'

const CODE_LIFETIME_MS = 10 * 60 * 1000
/** 128 bits, so nobody can guess a code within its lifetime, and a plain hash is sufficient. */
const CODE_BYTES = 16
/** Maximum devices per visitor; adding another signs out the oldest. */
const MAX_DEVICES = 20

export interface TransfersOptions {
  database: Database
  now: () => number
}

export interface TransferRequest {
  code: string
  from: VisitorKey | null
  /** Confirms that the device loses access to its current chats. */
  replace: boolean
  device: 'shared' | undefined
}

/** `key` is the device's new key. */
export type TransferResult = (Exclude<TransferOutcome, Rejection> & { key: string }) | Rejection

/** Adds devices to a visitor with a random code, valid once and for ten minutes. */
export class Transfers {
  readonly #options: TransfersOptions

  constructor(options: TransfersOptions) {
    this.#options = options
  }

  /** Creates a code for this visitor; only its hash is stored. */
  async begin(visitorId: string): Promise<{ code: string; expiresAt: number }> {
    const { database, now } = this.#options
    const code = randomBytes(CODE_BYTES).toString('base64url')
    const expiresAt = now() + CODE_LIFETIME_MS
    await insertTransfer(database, { codeHash: hashOfCode(code), visitorId, expiresAt })
    return { code, expiresAt }
  }

  async use({ code, from, replace, device }: TransferRequest): Promise<TransferResult> {
    const { database } = this.#options
    const now = this.#options.now()
    const key = newVisitorKey()
    const outcome = await useTransfer(database, {
      codeHash: hashOfCode(code),
      key: { keyHash: hashOfVisitorKey(key), expiresAt: device ? now + SHARED_DEVICE_MS : null },
      from,
      mayLeave: replace,
      maxDevices: MAX_DEVICES,
      now,
    })
    return outcome.kind === 'moved' ? { ...outcome, key } : outcome
  }
}

const hashOfCode = (code: string): string => hash('sha256', code, 'hex')
