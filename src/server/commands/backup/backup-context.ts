import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config/config.ts'
import { writeFact } from '../../store/engine/installation-facts.ts'
import { type DatabaseSettings, openReader } from '../../store/engine/open-database.ts'

export interface BackupContext {
  settings: Pick<Settings, 'database' | 'dataDirectory' | 'installationKey' | 'previousKey' | 'ledger' | 'backupPassphrase'>
  release: string
  now: () => number
  /** Asks on the terminal; `undefined` if there is none. */
  ask: (question: string) => Promise<string | undefined>
  report: (line: string) => void
}

/** Files that `backup --to` creates, and deletes once there are newer ones; their order is that of time. */
export const OWN_BACKUP = /^parley-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.backup$/

const KB = 1024
const MB = 1024 * KB
const STEP_PERCENT = 10

/** Reports a share as percentages, each once. */
export function progressOf(report: (line: string) => void, label: string): (share: number) => void {
  let shown = 0
  return (share) => {
    const percent = Math.floor((share * 100) / STEP_PERCENT) * STEP_PERCENT
    if (percent <= shown) return
    shown = percent
    report(`${label} … ${percent} %`)
  }
}

/** "12 kB" or "3.4 MB". */
export function describeBytes(bytes: number): string {
  return bytes < MB ? `${Math.ceil(bytes / KB)} kB` : `${(bytes / MB).toFixed(1)} MB`
}

/** "12 chats of 3 visitors, 48 messages". */
export function describeRows(rows: Record<string, number>): string {
  const { sessions = 0, visitors = 0, messages = 0 } = rows
  return `${counted(sessions, 'chat')} of ${counted(visitors, 'visitor')}, ${counted(messages, 'message')}`
}

function counted(count: number, name: string): string {
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}

/** Records when a backup was made, failed or was rehearsed, for the console. Resolves with what to print: nothing, or that it could not be recorded. */
export async function recordTime(
  settings: DatabaseSettings,
  fact: 'last_backup' | 'last_failed_backup' | 'last_rehearsal',
  time: number,
): Promise<string[]> {
  // A rehearsal can be on another machine, where there is no database.
  if (settings.kind === 'sqlite' && !existsSync(join(settings.directory, 'parley.db'))) return []
  try {
    await using database = await openReader(settings)
    await writeFact(database, fact, String(time))
    return []
  } catch {
    return ['The console will not show this, because the database could not be written to.']
  }
}
