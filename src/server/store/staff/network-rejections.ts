import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Rows per statement, well below the parameters that databases allow. */
const ROWS_PER_STATEMENT = 500

export type NetworkRejection = Schema['network_refusals']

/** Adds counts, also to those of other processes. */
export async function addNetworkRejections(database: Database, rejections: readonly NetworkRejection[]): Promise<void> {
  // In one order, so that processes that write the same rows don't deadlock.
  const nameOf = ({ day, network, code }: NetworkRejection) => `${day} ${network} ${code}`
  const rows = rejections.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await database
      .insertInto('network_refusals')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['day', 'network', 'code']).doUpdateSet({ count: sql<number>`network_refusals.count + excluded.count` }),
      )
      .execute()
}

/** The networks with the most rejections since a day, of those with at least `min`. */
export async function listRejectedNetworks(
  database: Database,
  { since, min, limit }: { since: number; min: number; limit: number },
): Promise<{ day: number; network: string; rejections: number; reasons: { code: string; count: number }[] }[]> {
  const most = await database
    .selectFrom('network_refusals')
    .select(({ fn }) => ['day', 'network', fn.sum('count').as('rejections')])
    .where('day', '>=', since)
    .groupBy(['day', 'network'])
    .having(({ fn }) => fn.sum('count'), '>=', min)
    .orderBy('rejections', 'desc')
    .orderBy('network')
    .limit(limit)
    .execute()
  if (most.length === 0) return []
  const networks = most.map(({ network }) => network)
  const rows = await database
    .selectFrom('network_refusals')
    .select(['network', 'code', 'count'])
    .where('network', 'in', networks)
    .orderBy('count', 'desc')
    .orderBy('code')
    .execute()
  const reasonsOf = Map.groupBy(rows, ({ network }) => network)
  return most.map(({ day, network, rejections }) => ({
    day,
    network,
    rejections: Number(rejections),
    reasons: (reasonsOf.get(network) ?? []).map(({ code, count }) => ({ code, count })),
  }))
}

/** The day since `since` on which a network of this pseudonym was refused; `undefined` for an unknown one. */
export async function dayOfRejectedNetwork(database: Database, network: string, since: number): Promise<number | undefined> {
  const row = await database
    .selectFrom('network_refusals')
    .select('day')
    .where('network', '=', network)
    .where('day', '>=', since)
    .executeTakeFirst()
  return row?.day
}

/** If a day has more than `max` networks, keeps the `kept` with the most rejections. */
export async function trimNetworkRejections(database: Database, day: number, { max, kept }: { max: number; kept: number }): Promise<void> {
  const { networks } = await database
    .selectFrom('network_refusals')
    .select(({ fn }) => fn.count('network').distinct().as('networks'))
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  if (Number(networks) <= max) return
  await database
    .deleteFrom('network_refusals')
    .where('day', '=', day)
    .where('network', 'not in', ({ selectFrom }) =>
      selectFrom('network_refusals')
        .select('network')
        .where('day', '=', day)
        .groupBy('network')
        .orderBy(({ fn }) => fn.sum('count'), 'desc')
        .limit(kept),
    )
    .execute()
}

export async function deleteNetworkRejectionsBefore(database: Database, day: number): Promise<void> {
  await database.deleteFrom('network_refusals').where('day', '<', day).execute()
}
