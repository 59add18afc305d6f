import { parseArgs } from 'node:util'
import { NewInvitation } from '../../contract/staff/people.ts'
import { STAFF_ROLES, type StaffRole } from '../../contract/staff/roles.ts'
import { isBoundToAgents, isBoundToCollection, MAX_WRITING_DAYS, TOKEN_SCOPES } from '../../contract/staff/token-scopes.ts'
import { NewToken } from '../../contract/staff/tokens.ts'
import { enterUrl } from '../staff-api/enter-url.ts'
import { type AuditLog, OPERATOR } from '../staff/audit.ts'
import { StaffTokens } from '../staff/staff-tokens.ts'
import { StaffAccess } from '../staff/staff-access.ts'
import { type AuditRow, readAuditRows } from '../store/staff/audit-log.ts'
import type { z } from 'zod'
import type { Database } from '../store/engine/database.ts'
import { type DatabaseSettings, openReader } from '../store/engine/open-database.ts'
import { type CommandResult, UsageError, withUsage } from './operator-command.ts'

const USAGE = `Manages the staff, also while the server runs.

  parley staff invite ada@example.org --role editor [--hours 24]
                                     prints a link that lets one person join, once
  parley staff token "monthly report" --scope read:figures [--days 90]
                                     prints a token with which a script reads from the staff API
  parley staff token "Open WebUI" --scope answer --agent assistant [--prompts-per-minute 60]
                      [--prompts-per-day 2000] [--tokens-per-day 5000000] [--days 90]
                                     prints a token with which another program asks these agents
  parley staff token "website" --scope write:drafts --scope publish --collection library [--days 90]
                                     prints a token with which a script changes documents and answers of a collection
  parley staff tokens            lists the tokens
  parley staff revoke <id>       revokes a token
  parley staff audit             prints the audit log, one JSON object a line, oldest first
  parley staff audit --verify    checks that no entry was changed or removed

Roles: ${STAFF_ROLES.join(', ')}. Scopes and agents, of which there may be several: ${TOKEN_SCOPES.join(', ')}; --agent goes
with ${TOKEN_SCOPES.filter(isBoundToAgents).join(' and ')}, --collection with ${TOKEN_SCOPES.filter(isBoundToCollection).join(' and ')}, for at most ${MAX_WRITING_DAYS} days.
`

const NO_KEY = 'There is no installation key in DATA_DIR, which the audit log needs. Start the server once, or set INSTALLATION_KEY.\n'
const NO_CONSOLE = 'There is no staff console: CONSOLE_PORT is off.\n'

const PAGE = 500
const HOUR_MS = 60 * 60 * 1000

export interface StaffCommandOptions {
  database: DatabaseSettings
  audit: AuditLog | null
  consoleOrigin: string | null
  now: () => number
  write: (text: string) => void
}

type Command =
  | { kind: 'invite'; name: string; role: StaffRole; hours: number }
  | ({ kind: 'token' } & z.output<typeof NewToken>)
  | { kind: 'tokens' }
  | { kind: 'revoke'; id: string }
  | { kind: 'print' }
  | { kind: 'verify' }

/** Runs `staff …` with these arguments. Resolves with the rest to print and the exit code: 1 if the audit log was tampered with. */
export function runStaffCommand(args: readonly string[], options: StaffCommandOptions): Promise<CommandResult> {
  return withUsage(USAGE, async () => runCommand(commandOf(args), options))
}

async function runCommand(command: Command, options: StaffCommandOptions): Promise<CommandResult> {
  const { audit } = options
  if (command.kind !== 'print' && !audit) return { output: NO_KEY, exitCode: 1 }
  await using database = await openReader(options.database)
  if (audit && command.kind !== 'print') return await run(command, database, audit, options)
  for await (const row of allRows(database)) options.write(`${JSON.stringify({ ...row, at: new Date(row.at).toISOString() })}\n`)
  return { output: '', exitCode: 0 }
}

function run(command: Exclude<Command, { kind: 'print' }>, database: Database, audit: AuditLog, options: StaffCommandOptions) {
  if (command.kind === 'verify') return verify(database, audit)
  if (command.kind === 'invite') return invite(command, database, audit, options)
  const tokens = new StaffTokens({ database, audit, now: options.now })
  if (command.kind === 'token') return createToken(command, tokens)
  return command.kind === 'tokens' ? listTokens(tokens) : revokeToken(command.id, tokens)
}

const OPTIONS = {
  verify: { type: 'boolean' },
  role: { type: 'string' },
  hours: { type: 'string' },
  scope: { type: 'string', multiple: true },
  agent: { type: 'string', multiple: true },
  collection: { type: 'string' },
  'prompts-per-minute': { type: 'string' },
  'prompts-per-day': { type: 'string' },
  'tokens-per-day': { type: 'string' },
  days: { type: 'string' },
} as const

const CAPS = { promptsPerMinute: 'prompts-per-minute', promptsPerDay: 'prompts-per-day', tokensPerDay: 'tokens-per-day' } as const

const KINDS = new Map<string, [hasName?: boolean, ...options: string[]]>([
  ['audit', [false, 'verify']],
  ['tokens', [false]],
  ['revoke', [true]],
  ['invite', [true, 'role', 'hours']],
  ['token', [true, 'scope', 'agent', 'collection', ...Object.values(CAPS), 'days']],
])

/** @throws {UsageError} that names the mistake. */
function commandOf(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  const [kind = '', name = '', ...more] = positionals
  const [hasName = null, ...options] = KINDS.get(kind) ?? []
  if (hasName === null) throw new UsageError('Give one of invite, token, tokens, revoke and audit.')
  const other = Object.keys(values).find((option) => !options.includes(option))
  if (other !== undefined) throw new UsageError(`--${other} does not belong to staff ${kind}.`)
  if (more.length > 0 || (name !== '') !== hasName)
    throw new UsageError(`staff ${kind} takes ${hasName ? 'one name or id, quoted if it has spaces' : 'no name'}.`)
  if (kind === 'audit') return { kind: values.verify ? 'verify' : 'print' }
  if (kind === 'tokens') return { kind }
  if (kind === 'revoke') return { kind, id: name }
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const { role, scope: scopes, agent: agents, collection } = values
  if (kind === 'invite') return { kind, ...parsed(NewInvitation.safeParse({ name, role, hours: number(values.hours) })) }
  const caps = Object.fromEntries(Object.entries(CAPS).map(([cap, option]) => [cap, number(values[option])]))
  return { kind: 'token', ...parsed(NewToken.safeParse({ name, scopes, agents, collection, caps, days: number(values.days) })) }
}

function parsed<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data
  const [{ path, message } = { path: [], message: '' }] = result.error.issues
  throw new UsageError(path.length > 0 ? `${path.join(' ')}: ${message}.` : 'These scopes need other options; see below.')
}

async function createToken(command: Extract<Command, { kind: 'token' }>, tokens: StaffTokens): Promise<CommandResult> {
  const created = await tokens.create({ ...command, actor: OPERATOR })
  if (!created) return { output: 'There are fifty tokens. Revoke one first.\n', exitCode: 1 }
  const output = `${created.token}\nThe token works for ${command.days} days and is shown only now. \`parley staff revoke ${created.id}\` revokes it.\n`
  return { output, exitCode: 0 }
}

async function listTokens(tokens: StaffTokens): Promise<CommandResult> {
  const all = await tokens.list()
  const lines = all.map(
    ({ id, name, scopes, agents, collection, expiresAt }) =>
      `${id}  until ${new Date(expiresAt).toISOString().slice(0, 10)}  ${[...scopes, ...agents, ...(collection === null ? [] : [collection])].join(' ')}  ${name}\n`,
  )
  return { output: lines.length === 0 ? 'There are no tokens.\n' : lines.join(''), exitCode: 0 }
}

async function revokeToken(id: string, tokens: StaffTokens): Promise<CommandResult> {
  const isRevoked = await tokens.revoke(id, OPERATOR)
  return isRevoked
    ? { output: 'The token is revoked.\n', exitCode: 0 }
    : { output: 'There is no token of this id: `parley staff tokens` lists them.\n', exitCode: 1 }
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
  if (check.intact) {
    await audit.seal(database)
    const { entries, hash, sealed } = check
    const seal = sealed === null ? 'It is not sealed outside the database.' : `Sealed outside the database: entry ${sealed}.`
    const newest = hash === null ? '' : ` Note the newest one, ${entries} ${hash}: a later log must still have it.`
    return { output: `The audit log is intact: ${entries} entries. ${seal}${newest}\n`, exitCode: 0 }
  }
  if (check.unrecorded)
    return { output: `The audit log is broken: entries are missing of what is in force: ${check.unrecorded.join(', ')}.\n`, exitCode: 1 }
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
