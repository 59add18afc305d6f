import { parseArgs } from 'node:util'
import { z } from 'zod'
import { NewStop } from '../../contract/staff/stops.ts'
import type { Database } from '../store/engine/database.ts'
import { type DatabaseSettings, openReader } from '../store/engine/open-database.ts'
import { deleteStop, insertStop, readStops, type Stop } from '../store/staff/stops.ts'
import type { AuditAction } from '../../contract/staff/audit-actions.ts'
import { type AuditLog, OPERATOR } from '../staff/audit.ts'
import { newStopId } from '../staff/ids.ts'
import { type CommandResult, UsageError, withUsage } from './operator-command.ts'

const USAGE = `Stops answers, also while the server runs. Visitors read the text instead, and running answers end within a second.

  parley stop-answering --all --reason "wrong figures"
  parley stop-answering --agent assistant --reason "…"
  parley stop-answering --topic "parking fines" [--example "I got a ticket"]… --reason "…"
  parley stop-answering --file fees/parking.md --reason "…"
                            --text "…"     what visitors read instead
  parley stop-answering --list         what is stopped
  parley stop-answering --resume ID    ends a stop
`

const NOT_RECORDED =
  'The audit log has no entry of this: there is no installation key in DATA_DIR. Set INSTALLATION_KEY to that of the server.\n'

type Command = { kind: 'stop'; stop: Stop } | { kind: 'list' } | { kind: 'resume'; id: string }

/** Runs `stop-answering`. Changes are recorded in the audit log; without the installation key, the output says that they aren't. */
export function stopAnswering(args: readonly string[], settings: DatabaseSettings, now: number, audit: AuditLog | null) {
  return withUsage(USAGE, () => run(commandOf(args, now), settings, now, audit))
}

async function run(command: Command, settings: DatabaseSettings, now: number, audit: AuditLog | null): Promise<CommandResult> {
  await using database = await openReader(settings)
  const record = (action: AuditAction, target: string) => async (transaction: Database) =>
    audit?.append(transaction, { at: now, actor: OPERATOR, action, target })
  const unrecorded = audit ? '' : NOT_RECORDED
  if (command.kind === 'stop') {
    await insertStop(database, command.stop, record('stop.start', command.stop.id))
    return {
      output: `Stopped: ${described(command.stop)}\nResume with: parley stop-answering --resume ${command.stop.id}\n${unrecorded}`,
      exitCode: 0,
    }
  }
  if (command.kind === 'resume') {
    const isResumed = await deleteStop(database, command.id, record('stop.end', command.id))
    return isResumed
      ? { output: `Resumed. New prompts are answered again.\n${unrecorded}`, exitCode: 0 }
      : { output: `There is no stop with the id ${command.id}: list them with --list.\n`, exitCode: 1 }
  }
  const { stops } = await readStops(database)
  return { output: stops.length === 0 ? 'Nothing is stopped.\n' : stops.map((stop) => `${described(stop)}\n`).join(''), exitCode: 0 }
}

function described({ id, scope, target, reason, reply, createdAt }: Stop): string {
  const what = scope === 'all' ? 'all answers' : `the ${scope} "${target}"`
  const text = reply === null ? '' : `, text "${reply}"`
  return `${id}  ${what}, since ${new Date(createdAt).toISOString()}, reason "${reason}"${text}`
}

function commandOf(args: readonly string[], now: number): Command {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: 'boolean' },
      agent: { type: 'string' },
      topic: { type: 'string' },
      file: { type: 'string' },
      example: { type: 'string', multiple: true },
      text: { type: 'string' },
      reason: { type: 'string' },
      list: { type: 'boolean' },
      resume: { type: 'string' },
    },
  })
  const { all, agent, topic, file, example = [], text, reason, list, resume } = values
  const targets = Object.entries({ all: all && '', agent, topic, file }).filter(([, target]) => target !== undefined)
  const chosen = targets.length + (list ? 1 : 0) + (resume === undefined ? 0 : 1)
  if (chosen !== 1) throw new UsageError('Give one of --all, --agent, --topic, --file, --list and --resume.')
  if (list) return { kind: 'list' }
  if (resume !== undefined) return { kind: 'resume', id: resume }
  const [[scope, target] = []] = targets
  if (!reason?.trim()) throw new UsageError('Give a --reason, for those who find the stop later.')
  const stop = NewStop.safeParse({ scope, target, examples: example, reply: text?.trim() || null, reason })
  if (!stop.success) throw new UsageError(z.prettifyError(stop.error))
  return { kind: 'stop', stop: { ...stop.data, id: newStopId(), createdAt: now } }
}
