import { type Rejection, rejection } from '../../../contract/rejection.ts'
import type { Database } from '../engine/database.ts'

/**
 * An idempotent request. `scopes` are the principals within which its key is unique; the first is checked, and all are
 * recorded. The hashes are hex SHA-256 of the key and of the whole request.
 */
export interface IdempotencyClaim {
  scopes: readonly string[]
  keyHash: string
  requestHash: string
}

export interface RepeatedClaim {
  kind: 'repeated'
  turnId: string
}

/** Claims the key for a turn of this transaction; `undefined` if it was free. Concurrent callers wait for the first. */
export async function claimKey(
  transaction: Database,
  claim: IdempotencyClaim,
  turnId: string,
  now: number,
): Promise<RepeatedClaim | Rejection | undefined> {
  const { scopes, keyHash, requestHash } = claim
  for (const scope of scopes) {
    const inserted = await transaction
      .insertInto('idempotency_keys')
      .values({ scope, key_hash: keyHash, request_hash: requestHash, turn_id: turnId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 1n) continue
    const earlier = await transaction
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'turn_id'])
      .where('scope', '=', scope)
      .where('key_hash', '=', keyHash)
      .executeTakeFirstOrThrow()
    return earlier.request_hash === requestHash ? { kind: 'repeated', turnId: earlier.turn_id } : rejection('idempotency_key_reused')
  }
  return undefined
}

/** Deletes up to `limit` keys claimed before a time, plus ties with the last. Returns how many. */
export async function purgeIdempotencyKeys(database: Database, before: number, limit: number): Promise<number> {
  const oldest = database
    .selectFrom('idempotency_keys')
    .select('created_at')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .as('oldest')
  const purged = await database
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', (query) => query.selectFrom(oldest).select(({ fn }) => fn.max('created_at').as('newest')))
    .executeTakeFirst()
  return Number(purged.numDeletedRows)
}
