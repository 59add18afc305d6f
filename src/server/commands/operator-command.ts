import { stat } from 'node:fs/promises'
import { callersFolder, SettingsError } from '../config/config.ts'

export interface CommandResult {
  output: string
  exitCode: number
}

/** From here on, relative paths are those of the caller's arguments. */
export function enterCallersFolder(): void {
  try {
    process.chdir(callersFolder())
  } catch {
    // This user may not enter it; absolute paths work all the same.
  }
}

/** Refuses another user than the data folder's owner, whose server its files would lock out. @throws {SettingsError} */
export async function assertOwner(dataDirectory: string, user = process.getuid?.()): Promise<void> {
  const owner = await stat(dataDirectory).then(
    ({ uid }) => uid,
    () => undefined,
  )
  if (user === undefined || owner === undefined || user === owner) return
  throw new SettingsError(
    `${dataDirectory} belongs to the user with the id ${owner}: run this command as that user (sudo -u "#${owner}" …).`,
  )
}
