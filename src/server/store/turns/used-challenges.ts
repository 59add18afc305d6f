import type { Database } from '../engine/database.ts'

/** Records the use of a challenge; `false` if it was used before. Forgets those that have expired. */
export async function useChallenge(
  database: Database,
  { random, expiresAt }: { random: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  await database.deleteFrom('used_challenges').where('expires_at', '<=', now).execute()
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('used_challenges')
    .values({ random, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('random').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
