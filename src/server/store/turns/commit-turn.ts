import type { ErrorCode } from '../../../contract/errors.ts'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import type { Database } from '../engine/database.ts'
import { reserving } from './budgets.ts'
import { claimKey, type IdempotencyClaim, type RepeatedClaim } from './idempotency.ts'

export interface Accepted {
  kind: 'accepted'
  sessionId: string
  owner: string
  agent: string
  promptId: string
  isNewSession: boolean
  /** Version of the stops that the turn has to observe, at least. */
  stopsVersion: string
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

/** Claims a turn's key and runs a transaction that accepts the turn; durable once resolved. A thrown `RejectedTransaction` rolls it back and is the result. */
export async function commitTurn<T extends Accepted>(
  database: Database,
  { id, now, claim }: { id: string; now: number; claim: IdempotencyClaim | null },
  run: (transaction: Database) => Promise<T | RepeatedClaim | Rejection>,
): Promise<T | RepeatedClaim | Rejection> {
  try {
    return await reserving(database, async (transaction) => (claim && (await claimKey(transaction, claim, id, now))) ?? run(transaction))
  } catch (error) {
    if (error instanceof RejectedTransaction) return error.rejection
    throw error
  }
}
