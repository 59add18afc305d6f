import type { ErrorCode } from '../../contract/errors.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Database } from './database.ts'
import type { RepeatedClaim } from './idempotency.ts'
import { commit } from './in-transaction.ts'

/** What a transaction accepts. */
export interface UncommittedTurn {
  kind: 'accepted'
  sessionId: string
  owner: string
  agent: string
  promptId: string
  isNewSession: boolean
  /** Version of the stops that the turn has to observe, at least. */
  stopsVersion: string
}

/** An accepted turn that survives a crash. `durable` resolves once it survives a power loss as well, and rejects if the disk refuses it. */
export interface Accepted extends UncommittedTurn {
  durable: Promise<unknown>
}

/** Rolls a transaction back; `commitTurn` returns its rejection. */
export class RejectedTransaction extends Error {
  readonly rejection: Rejection

  constructor(reason: ErrorCode | Rejection) {
    const rejected = typeof reason === 'string' ? rejection(reason) : reason
    super(rejected.code)
    this.rejection = rejected
  }
}

/**
 * Runs a transaction that accepts a turn. Resolves when it is committed. A thrown `RejectedTransaction` rolls it back and becomes the
 * result.
 */
export async function commitTurn<T extends UncommittedTurn>(
  database: Database,
  run: (transaction: Database) => Promise<T | RepeatedClaim | Rejection>,
): Promise<(T & Accepted) | RepeatedClaim | Rejection> {
  try {
    const { result, durable } = await commit(database, run)
    return result.kind === 'accepted' ? { ...result, durable } : result
  } catch (error) {
    if (error instanceof RejectedTransaction) return error.rejection
    throw error
  }
}
