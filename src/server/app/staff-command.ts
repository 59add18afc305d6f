import { parseArgs } from 'node:util'
import { NewInvitation } from '../../contract/staff/people.ts'
import { STAFF_ROLES, type StaffRole } from '../../contract/staff/roles.ts'
import { enterUrl } from '../console/enter-url.ts'
import { type AuditLog, OPERATOR } from '../staff/audit.ts'
import { StaffAccess } from '../staff/staff-access.ts'
import { type AuditRow, readAuditRows } from '../store/audit-log.ts'
import { type DatabaseSettings, type Database, openReader } from '../store/database.ts'
import type { CommandResult } from './operator-command.ts'

const USAGE = `Manages the staff, also while the server runs.

  npm run staff -- invite ada@example.org --role editor [--hours 24]
                                     prints a link that lets one person join, once
  npm run staff -- audit             prints the audit log, one JSON object a line, oldest first
  npm run staff -- audit --verify    checks that no entry was changed or removed

Roles: ${STAFF_ROLES.join(', ')}.
`

const NO_KEY = 'There is no installation key in DATA_DIR, which the audit log needs. Start the server once, or set INSTALLATION_KEY.\n'
const NO_CONSOLE = 'There is no staff console: CONSOLE_PORT is off.\n'

/** Entries per query. */
const PAGE = 500
const HOUR_MS = 60 * 60 * 1000

export interface StaffCommandOptions {
  database: DatabaseSettings
  /** `null` without an installation key. */
  audit: AuditLog | null
  /** Origin under which staff open the console; `null` if there is none. */
  consoleOrigin: string | null
  now: () => number
  /** Prints a part of a long output. */
  write: (text: string) => void
}

type Command = { kind: 'invite'; name: string; role: StaffRole; hours: number } | { kind: 'print' } | { kind: 'verify' }

/** Runs `staff …` with these arguments. Resolves with the rest to print and the exit code: 1 if the audit log was tampered with. */
export async function runStaffCommand(args: readonly string[], options: StaffCommandOptions): Promise<CommandResult> {
  const command = commandOf(args)
  if (command === null) return { output: USAGE, exitCode: 2 }
  const { audit } = options
  if (command.kind !== 'print' && !audit) return { output: NO_KEY, exitCode: 1 }
  const database = await openReader(options.database, () => undefined)
  try {
    if (command.kind === 'verify' && audit) return await verify(database, audit)
    if (command.kind === 'invite' && audit) return await invite(command, database, audit, options)
    for await (const row of allRows(database)) options.write(`${JSON.stringify({ ...row, at: new Date(row.at).toISOString() })}\n`)
    return { output: '', exitCode: 0 }
  } finally {
    await database.destroy()
  }
}

/** `null` for a command that doesn't exist. */
function commandOf(args: readonly string[]): Command | null {
  const options = { verify: { type: 'boolean' }, role: { type: 'string' }, hours: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [kind, name, ...more] = positionals
    if (kind === 'audit' && name === undefined && !values.role && !values.hours) return { kind: values.verify ? 'verify' : 'print' }
    if (kind !== 'invite' || more.length > 0 || values.verify) return null
    const invitation = NewInvitation.safeParse({
      name,
      role: values.role,
      ...(values.hours !== undefined && { hours: Number(values.hours) }),
    })
    return invitation.success ? { kind, ...invitation.data } : null
  } catch {
    return null
  }
}

async function invite(
  { name, role, hours }: Extract<Command, { kind: 'invite' }>,
  database: Database,
  audit: AuditLog,
  { consoleOrigin, now }: StaffCommandOptions,
): Promise<CommandResult> {
  if (consoleOrigin === null) return { output: NO_CONSOLE, exitCode: 1 }
  const access = new StaffAccess({ database, audit, now })
  const link = await access.invite({ name, role, lifetimeMs: hours * HOUR_MS, actor: OPERATOR })
  const output = `${enterUrl(consoleOrigin, link)}\nThe link works once, in the next ${hours} hours, and lets ${name} in as ${role}. Send it over a channel that only they read.\n`
  return { output, exitCode: 0 }
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
