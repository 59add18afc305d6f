import { type Rejection, rejection } from '../../../contract/rejection.ts'
import { unrestricted } from './access.ts'
import { countOf, type Database } from '../engine/database.ts'
import { deleteVisitorKey, dropOldestKeys, insertVisitorKey, type VisitorKey } from './visitors.ts'

export interface Transfer {
  codeHash: string
  visitorId: string
  expiresAt: number
}

/** Stores a code and invalidates the visitor's previous one. */
export async function insertTransfer(database: Database, { codeHash, visitorId, expiresAt }: Transfer): Promise<void> {
  const row = { code_hash: codeHash, expires_at: expiresAt }
  await database
    .insertInto('transfers')
    .values({ ...row, visitor_id: visitorId })
    .onConflict((conflict) => conflict.column('visitor_id').doUpdateSet(row))
    .execute()
}

export interface TransferUse {
  codeHash: string
  key: { keyHash: string; expiresAt: number | null }
  /** The device's previous visitor; `mayLeave` permits abandoning their chats. */
  from: VisitorKey | null
  mayLeave: boolean
  maxDevices: number
  now: number
}

export type TransferOutcome =
  | { kind: 'moved'; visitorId: string /** Nobody holds a key of the one before any more. */; abandoned: string | null }
  | Rejection

/** Consumes a code and assigns the device to its visitor, in one transaction. */
export async function useTransfer(database: Database, use: TransferUse): Promise<TransferOutcome> {
  const { codeHash, key, from, now } = use
  return database.transaction().execute(async (transaction) => {
    const open = transaction.selectFrom('transfers').select('visitor_id').where('code_hash', '=', codeHash).where('expires_at', '>', now)
    const visitorId = (await open.executeTakeFirst())?.visitor_id
    if (visitorId === undefined) return rejection('transfer_code_unknown')
    const leaves = from !== null && from.visitorId !== visitorId
    if (leaves && !use.mayLeave && (await hasSessions(transaction, from.visitorId))) return rejection('device_in_use')
    const used = await transaction.deleteFrom('transfers').where('code_hash', '=', codeHash).executeTakeFirst()
    // A concurrent use was first.
    if (Number(used.numDeletedRows) === 0) return rejection('transfer_code_unknown')
    if (from) await deleteVisitorKey(transaction, from.keyHash)
    await insertVisitorKey(transaction, { ...key, visitorId }, now)
    await dropOldestKeys(transaction, visitorId, use.maxDevices)
    return { kind: 'moved', visitorId, abandoned: leaves && (await isAbandoned(transaction, from.visitorId)) ? from.visitorId : null }
  })
}

async function hasSessions(database: Database, owner: string): Promise<boolean> {
  return (await countOf(unrestricted(database).selectFrom('sessions').where('owner', '=', owner))) > 0
}

/** Whether a visitor has no key, so nobody can access their data. */
export async function isAbandoned(database: Database, visitorId: string): Promise<boolean> {
  return (await countOf(database.selectFrom('visitor_keys').where('visitor_id', '=', visitorId))) === 0
}
