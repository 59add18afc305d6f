import { CompactEncrypt, compactDecrypt } from 'jose'
import { z } from 'zod'
import { SettingsError } from '../config/setting-schemas.ts'
import { deriveKeys, type InstallationKeys } from '../keys.ts'
import type { Database } from '../store/engine/database.ts'
import { readFact, writeFact } from '../store/engine/installation-facts.ts'

const FormerKeys = z.array(z.string())
const PURPOSE = 'parley former installation keys'
const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }

export interface KeyRing {
  keys: InstallationKeys
  /** Whether the former keys still have to be sealed under the current one, by `sealRing`. */
  isToSeal: boolean
}

/**
 * The keys of this installation: the current one, and the former ones, which the database has, sealed under the key with which the server
 * last started. @throws {SettingsError} if neither key opens them.
 */
export async function readRing(database: Database, current: string, previous: string | null): Promise<KeyRing> {
  const sealed = await readFact(database, 'former_keys')
  const replaced = previous === null || previous === current ? [] : [previous]
  if (sealed === null) return { keys: [current, ...replaced], isToSeal: replaced.length > 0 }
  for (const key of [current, ...replaced]) {
    const former = await opened(sealed, key)
    if (former) return { keys: [...new Set([current, key, ...former])] as [string, ...string[]], isToSeal: key !== current }
  }
  throw new SettingsError(
    'The former installation keys in the database are sealed under another key than INSTALLATION_KEY (or DATA_DIR/installation.key) and INSTALLATION_KEY_PREVIOUS: set INSTALLATION_KEY_PREVIOUS to the key with which the server, or that of the backup, last ran.',
  )
}

/** Seals the former keys under the current one. */
export async function sealRing(database: Database, keys: InstallationKeys): Promise<void> {
  const [key] = deriveKeys(keys, PURPOSE)
  const text = new TextEncoder().encode(JSON.stringify(keys.slice(1)))
  await writeFact(database, 'former_keys', await new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key))
}

async function opened(sealed: string, key: string): Promise<string[] | undefined> {
  try {
    const { plaintext } = await compactDecrypt(sealed, deriveKeys([key], PURPOSE)[0], ALGORITHMS)
    return FormerKeys.parse(JSON.parse(new TextDecoder().decode(plaintext)))
  } catch {
    return undefined
  }
}
