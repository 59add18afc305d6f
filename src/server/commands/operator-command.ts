import { stat } from 'node:fs/promises'
import { callersFolder, SettingsError } from '../config/config.ts'

export interface CommandResult {
  output: string
  exitCode: number
}

/** A mistake in the arguments of a command. */
export class UsageError extends Error {}

/** Runs a command. A mistake in its arguments is printed above its usage. */
export async function withUsage(usage: string, run: () => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await run()
  } catch (error) {
    const isMistake = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    if (!isMistake) throw error
    const { message } = error as Error
    return message.includes("'--help'") ? { output: usage, exitCode: 0 } : { output: `${message}\n\n${usage}`, exitCode: 2 }
  }
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
  const owner = (await stat(dataDirectory).catch(() => undefined))?.uid
  if (user === undefined || owner === undefined || user === owner) return
  throw new SettingsError(
    `${dataDirectory} belongs to the user with the id ${owner}: run this command as that user (sudo -u "#${owner}" …).`,
  )
}
