import { hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { type ModelConnection, ModelToConnect } from '../../contract/staff/model.ts'
import type { Database } from '../store/engine/database.ts'
import { deleteFact, readFact, writeFact } from '../store/engine/installation-facts.ts'

const sealKey = (installationKey: string) => new Uint8Array(hkdfSync('sha256', installationKey, '', 'parley connected model', 32))

/** The connection that owners have stored, as it is stored and opened, which needs the same installation key; `null` without one. */
export async function readModelConnection(
  database: Database,
  installationKey: string,
): Promise<{ stored: string; connection: ModelConnection | null } | null> {
  const stored = await readFact(database, 'connected_model')
  if (stored === null) return null
  try {
    const { plaintext } = await compactDecrypt(stored, sealKey(installationKey), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    return { stored, connection: ModelToConnect.parse(JSON.parse(new TextDecoder().decode(plaintext))) }
  } catch {
    return { stored, connection: null }
  }
}

/** Stores a connection, sealed with the installation key, or removes it, with what else belongs to the change. */
export async function writeModelConnection(
  database: Database,
  installationKey: string,
  connection: ModelConnection | null,
  record: (transaction: Database) => Promise<void>,
): Promise<void> {
  const text = new TextEncoder().encode(JSON.stringify(connection))
  const sealed = new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(sealKey(installationKey))
  const stored = connection && (await sealed)
  await database.transaction().execute(async (transaction) => {
    if (stored === null) await deleteFact(transaction, 'connected_model')
    else await writeFact(transaction, 'connected_model', stored)
    await record(transaction)
  })
}

/** Host that gets the key: a stored key goes to no other. */
export function hostOf(connection: ModelConnection): string {
  return connection.provider === 'address' ? new URL(connection.address).origin : connection.provider
}
