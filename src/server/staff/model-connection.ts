import { CompactEncrypt, compactDecrypt } from 'jose'
import { type ModelConnection, ModelToConnect } from '../../contract/staff/model.ts'
import { deriveKeys, type InstallationKeys } from '../keys.ts'
import type { Database } from '../store/engine/database.ts'
import { deleteFact, readFact, writeFact } from '../store/engine/installation-facts.ts'

const sealKey = (installationKey: string) => deriveKeys([installationKey], 'parley connected model')[0]

/** The connection that owners have stored, as it is stored and opened, which needs one of the keys; `null` without one. */
export async function readModelConnection(
  database: Database,
  keys: InstallationKeys,
): Promise<{ stored: string; connection: ModelConnection | null } | null> {
  const stored = await readFact(database, 'connected_model')
  if (stored === null) return null
  const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  for (const key of keys)
    try {
      const { plaintext } = await compactDecrypt(stored, sealKey(key), algorithms)
      return { stored, connection: ModelToConnect.parse(JSON.parse(new TextDecoder().decode(plaintext))) }
    } catch {
      // Sealed with another key: the next one, or none, opens it.
    }
  return { stored, connection: null }
}

/** Seals a stored connection again, with the current key. */
export async function sealModelConnection(transaction: Database, keys: InstallationKeys): Promise<void> {
  const connection = (await readModelConnection(transaction, keys))?.connection
  if (connection) await writeFact(transaction, 'connected_model', await sealed(connection, keys[0]))
}

function sealed(connection: ModelConnection, installationKey: string): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(connection))
  return new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(sealKey(installationKey))
}

/** Stores a connection, sealed with the installation key, or removes it, with what else belongs to the change. */
export async function writeModelConnection(
  database: Database,
  installationKey: string,
  connection: ModelConnection | null,
  record: (transaction: Database) => Promise<void>,
): Promise<void> {
  const stored = connection && (await sealed(connection, installationKey))
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
