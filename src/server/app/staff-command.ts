import { parseArgs } from 'node:util'
import type { AuditLog } from '../staff/audit.ts'
import { type AuditRow, readAuditRows } from '../store/audit-log.ts'
import { type DatabaseSettings, type Database, openReader } from '../store/database.ts'
import type { CommandResult } from './operator-command.ts'

const USAGE = `Shows what staff and operators did, also while the server runs.

  npm run staff -- audit             prints the audit log, one JSON object a line, oldest first
  npm run staff -- audit --verify    checks that no entry was changed or removed
`

const NO_KEY = 'There is no installation key in DATA_DIR, and the audit log cannot be checked without it. Set INSTALLATION_KEY.\n'

/** Entries per query. */
const PAGE = 500

export interface StaffCommandOptions {
  database: DatabaseSettings
  /** `null` without an installation key. */
  audit: AuditLog | null
  /** Prints a part of a long output. */
  write: (text: string) => void
}

/** Runs `staff …` with these arguments. Resolves with the rest to print and the exit code: 1 if the audit log was tampered with. */
export async function runStaffCommand(args: readonly string[], options: StaffCommandOptions): Promise<CommandResult> {
  const verifies = commandOf(args)
  if (verifies === null) return { output: USAGE, exitCode: 2 }
  const database = await openReader(options.database, () => undefined)
  try {
    if (verifies) return options.audit ? await verify(database, options.audit) : { output: NO_KEY, exitCode: 1 }
    for await (const row of allRows(database)) options.write(`${JSON.stringify({ ...row, at: new Date(row.at).toISOString() })}\n`)
    return { output: '', exitCode: 0 }
  } finally {
    await database.destroy()
  }
}

/** Whether to check the audit log or to print it; `null` for a command that doesn't exist. */
function commandOf(args: readonly string[]): boolean | null {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: { verify: { type: 'boolean' } }, allowPositionals: true })
    return positionals.length === 1 && positionals[0] === 'audit' ? values.verify === true : null
  } catch {
    return null
  }
}

async function verify(database: Database, audit: AuditLog): Promise<CommandResult> {
  const check = await audit.verify(database)
  if (check.intact) return { output: `The audit log is intact: ${check.entries} entries.\n`, exitCode: 0 }
  const output = `The audit log is broken at entry ${check.brokenAt}: that entry was changed or removed, or written with another installation key. Compare the log with a backup.\n`
  return { output, exitCode: 1 }
}

async function* allRows(database: Database): AsyncGenerator<AuditRow> {
  for (let after = 0; ; ) {
    const rows = await readAuditRows(database, after, PAGE)
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)?.number ?? after
  }
}
