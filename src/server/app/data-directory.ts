import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Settings, SettingsError } from '../config/config.ts'
import { installationKey, UnsafeKeyFile } from '../visitors/installation-key.ts'

/** Creates the data folder if it is missing, and returns the installation key. */
export async function openDataDirectory(settings: Settings): Promise<string> {
  // What visitors wrote is for the server's own user only.
  await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 })
  await closeToOthers(settings.dataDirectory)
  try {
    return await installationKey(settings.installationKey, settings.dataDirectory)
  } catch (error) {
    throw error instanceof UnsafeKeyFile ? new SettingsError(error.message) : error
  }
}

/** Names of the server's own files and folders in the data folder. */
const OWN = /^(?:parley\.db(?:-wal|-shm)?|knowledge|models|erasures|folder-id|process-\d+\.lock)$/

/** Closes what an earlier start may have created with a wider mask. Another user's files are left as they are. */
async function closeToOthers(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true })
  const own = entries.filter((entry) => OWN.test(entry.name) && !entry.isSymbolicLink())
  await Promise.allSettled(own.map((entry) => chmod(join(directory, entry.name), entry.isDirectory() ? 0o700 : 0o600)))
}
