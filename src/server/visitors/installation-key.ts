import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The installation's secret: from the settings, or made at the first start and kept in the data folder, readable by its owner only. */
export async function installationKey(setting: string | null, dataDirectory: string): Promise<string> {
  if (setting) return setting
  const file = join(dataDirectory, 'installation.key')
  return (await read(file)) ?? (await make(file))
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Of processes that start together one makes the key, whole from the moment it has its name, and all read that one. */
async function make(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
