import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingsError } from '../config/setting-schemas.ts'
import { faultOfKey } from '../config/secrets.ts'
import { createOnce } from '../create-once.ts'

const OTHERS = 0o077

/** The key file is unsafe; the message contains the reason and the fix. */
export class UnsafeKeyFile extends SettingsError {}

/**
 * The installation's secret: from the settings, or generated at the first start and stored in the data folder with access for its owner only.
 * Does not repair an unsafe file, because the operator must judge who may have read it.
 * @throws {UnsafeKeyFile} if others can read the file or it contains no key.
 */
export async function installationKey(setting: string | null, dataDirectory: string): Promise<string> {
  return (
    (await existingInstallationKey(setting, dataDirectory)) ??
    (await createOnce(fileIn(dataDirectory), randomBytes(32).toString('base64url')))
  )
}

/** As `installationKey`, but `undefined` before the first start. */
export async function existingInstallationKey(setting: string | null, dataDirectory: string): Promise<string | undefined> {
  return setting ?? (await read(fileIn(dataDirectory)))
}

const fileIn = (dataDirectory: string) => join(dataDirectory, 'installation.key')

async function read(file: string): Promise<string | undefined> {
  await using handle = await open(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  const { mode } = await handle.stat()
  // Windows has no such file modes.
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
    throw unsafe(file, `can be read or written by others. If nobody else did, run: chmod 600 ${file}`)
  const key = (await handle.readFile('utf8')).trim()
  const fault = faultOfKey(key)
  if (fault)
    throw unsafe(
      file,
      `${fault}. Put back the one that it held, or remove it: a new one is made, and chats under ids that clients chose are not found any more`,
    )
  return key
}

const unsafe = (file: string, fault: string) => new UnsafeKeyFile(`The installation key in ${file} ${fault}.`)

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
