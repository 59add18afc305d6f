import { mkdir } from 'node:fs/promises'
import { type Settings, SettingsError } from '../config/config.ts'
import { installationKey, UnsafeKeyFile } from '../visitors/installation-key.ts'

/** Creates the data folder if it is missing, and returns the installation key. */
export async function openDataDirectory(settings: Settings): Promise<string> {
  // What visitors wrote is for the server's own user only.
  await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 })
  try {
    return await installationKey(settings.installationKey, settings.dataDirectory)
  } catch (error) {
    throw error instanceof UnsafeKeyFile ? new SettingsError(error.message) : error
  }
}
