import { changesRows, type Database } from '../engine/database.ts'
import { increaseVersion } from '../engine/installation-facts.ts'
import type { RecordChange } from './audit-log.ts'

export interface NetworkBlock {
  /** Pseudonym under `salt`. */
  network: string
  salt: string
  reason: string
  blockedAt: number
  blockedBy: string
  endsAt: number
}

export async function readNetworkBlocks(database: Database, now: number): Promise<NetworkBlock[]> {
  const rows = await database.selectFrom('network_blocks').selectAll().where('ends_at', '>', now).orderBy('blocked_at', 'desc').execute()
  return rows.map(({ blocked_at: blockedAt, blocked_by: blockedBy, ends_at: endsAt, ...row }) => ({ ...row, blockedAt, blockedBy, endsAt }))
}

/** Blocks a network. `unknown` without the salt of its day, `blocked` if it is already, `full` if `max` networks are. */
export async function blockNetwork(
  database: Database,
  { day, max, ...block }: Omit<NetworkBlock, 'salt'> & { day: number; max: number },
  record: RecordChange,
): Promise<'done' | 'unknown' | 'blocked' | 'full'> {
  return database.transaction().execute(async (transaction) => {
    // First: it makes concurrent changes wait for each other.
    await increaseVersion(transaction, 'limits_version')
    await deleteEndedBlocks(transaction, block.blockedAt)
    const inForce = await readNetworkBlocks(transaction, block.blockedAt)
    if (inForce.some(({ network }) => network === block.network)) return 'blocked'
    if (inForce.length >= max) return 'full'
    const known = await transaction.selectFrom('address_salts').select('salt').where('day', '=', day).executeTakeFirst()
    if (!known) return 'unknown'
    const { network, reason, blockedAt, blockedBy, endsAt } = block
    await transaction
      .insertInto('network_blocks')
      .values({ network, reason, salt: known.salt, blocked_at: blockedAt, blocked_by: blockedBy, ends_at: endsAt })
      .execute()
    await record(transaction)
    return 'done'
  })
}

export async function unblockNetwork(database: Database, network: string, record: RecordChange): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await increaseVersion(transaction, 'limits_version')
    const isUnblocked = await changesRows(transaction.deleteFrom('network_blocks').where('network', '=', network))
    if (isUnblocked) await record(transaction)
    return isUnblocked
  })
}

/** Deletes blocks that have ended, and with them their salts. */
export async function deleteEndedBlocks(database: Database, now: number): Promise<void> {
  await database.deleteFrom('network_blocks').where('ends_at', '<=', now).execute()
}
