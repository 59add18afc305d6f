import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The installation's secret: from the settings, or made at the first start and kept in the data folder, readable by its owner only. */
export async function installationKey(setting: string | null, dataDirectory: string): Promise<string> {
  if (setting) return setting
  const file = join(dataDirectory, 'installation.key')
  try {
    // Fails when the file is there: of two processes starting together one writes, both read the same.
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}
