import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../store/engine/database.ts'
import { type DatabaseSettings, openReader } from '../../store/engine/open-database.ts'
import {
  deleteSource,
  listMissingPages,
  listSnapshots,
  listSources,
  readPages,
  readTexts,
  type SourcePage,
  type SourceRow,
} from '../../store/knowledge/sources.ts'
import { heldKind, readHeldSource } from './held-pages.ts'
import { decidePages, type PageDecision } from './page-decisions.ts'
import { readablePage } from './page-text.ts'
import { acceptSource, rollBackSource } from './source-actions.ts'
import { type ActionContext, knownSource, type NextSteps, SourceActionError, withLease } from './source-lease.ts'
import { type RunReport, stateOf, storedReport, summaryOf } from './run-report.ts'
import { readSourceDefinitions, type SourceDefinition, SOURCES_FILE } from './source-definition.ts'
import { syncSource } from './sync-source.ts'

export const SOURCE_COMMANDS = ['sync', 'status', 'diff', 'accept', 'keep', 'rollback', 'remove'] as const
export type SourceCommand = (typeof SOURCE_COMMANDS)[number]

export const SOURCE_USAGE = `Usage: parley knowledge add <address>... [--id <source>] [--private]
       parley knowledge status [source]
       parley knowledge sync|diff|accept|rollback|remove <source>
       parley knowledge diff|accept|keep <source> <address>...

  add       writes a website into knowledge/sources.yaml and reads it
  sync      reads a website of knowledge/sources.yaml now
  status    lists the websites, or what the last run of one has found, with the reason of each page that isn't in
  diff      lists what differs between the pages that answer and those that wait or came before,
            or the lines by which a page that waits differs
  accept    answers from pages that were held back: from all, or from those with these addresses
  keep      answers from the earlier text of these pages until the site changes them again
  rollback  answers from the pages before, until "accept"
  remove    deletes all that is stored of a website that sources.yaml no longer names
`

const SHOWN = 50
/** More than a source can have. */
const ALL_PAGES = 1_000_000
const PROGRESS_INTERVAL_MS = 2_000

const TERMINAL: NextSteps = {
  sync: (id) => `parley knowledge sync ${id}`,
  accept: (id) => `parley knowledge accept ${id}`,
}

export interface SourceCommandContext {
  settings: { database: DatabaseSettings; knowledgeDirectory: string; browserUrl: string | null }
  write: (text: string) => void
  signal: AbortSignal
  now: () => number
}

/** Runs a command on the sources of the knowledge, also next to a running server. Resolves with the exit code. */
export async function runSourceCommand(
  command: SourceCommand,
  [id, ...addresses]: readonly string[],
  context: SourceCommandContext,
): Promise<number> {
  const database = await openReader(context.settings.database)
  try {
    if (command === 'status' && id === undefined) return await listAll(database, context)
    if (id === undefined) throw new SourceActionError(`Name the source: parley knowledge ${command} <source>`)
    if (addresses.length > 0 && !PAGE_COMMANDS.has(command))
      throw new SourceActionError(`"${command}" concerns a whole source: leave the addresses out.`)
    return (await COMMANDS[command](database, id, context, addresses)) ?? 0
  } catch (error) {
    const isUnmigrated = /no such table|relation .* does not exist/.test(String(error))
    if (!(error instanceof SourceActionError) && !isUnmigrated) throw error
    context.write(
      `${isUnmigrated ? 'The database has no tables for sources yet: start the server, which reads the websites of sources.yaml.' : (error as Error).message}\n`,
    )
    return 1
  } finally {
    await database.destroy()
  }
}

const PAGE_COMMANDS: ReadonlySet<SourceCommand> = new Set(['diff', 'accept', 'keep'])

/** Resolves with the exit code, if it isn't 0. */
type RunCommand = (database: Database, id: string, context: SourceCommandContext, addresses: readonly string[]) => Promise<number | void>

const COMMANDS: Record<SourceCommand, RunCommand> = {
  sync,
  status: showStatus,
  diff: showDiff,
  accept: async (database, id, context, addresses) => {
    if (addresses.length > 0) await decide(database, id, context, addresses, 'accept')
    else await acceptSource(database, id, actionOf(context))
  },
  keep: async (database, id, context, addresses) => {
    if (addresses.length === 0) throw new SourceActionError(`Name the pages: parley knowledge keep ${id} <address>...`)
    await decide(database, id, context, addresses, 'keep')
  },
  rollback: (database, id, context) => rollBackSource(database, id, actionOf(context)),
  remove,
}

const actionOf = ({ now, write }: SourceCommandContext): ActionContext => ({ now, write, commands: TERMINAL })

async function definitions({ settings, write }: SourceCommandContext): Promise<SourceDefinition[]> {
  const text = await readFile(join(settings.knowledgeDirectory, SOURCES_FILE), 'utf8').catch(() => {
    throw new SourceActionError(`There is no ${SOURCES_FILE} in the knowledge folder.`)
  })
  const { sources, mistakes } = readSourceDefinitions(text)
  for (const mistake of mistakes) write(`${SOURCES_FILE}, ${mistake}\n`)
  return sources
}

async function sync(database: Database, id: string, context: SourceCommandContext): Promise<number> {
  const { settings, write, signal, now } = context
  const sources = await definitions(context)
  const definition = sources.find((source) => source.id === id)
  if (!definition)
    throw new SourceActionError(
      `${SOURCES_FILE} has no source "${id}". It has: ${sources.map((source) => source.id).join(', ') || 'none'}.`,
    )
  let shownAt = 0
  const report = await syncSource({
    database,
    definition,
    holder: `command ${randomUUID()}`,
    browserUrl: settings.browserUrl,
    signal,
    now,
    onProgress: ({ requests, counts }, waiting) => {
      if (performance.now() - shownAt < PROGRESS_INTERVAL_MS) return
      shownAt = performance.now()
      write(`${requests} requests, ${counts.new} new, ${counts.changed} changed, ${waiting} wait\n`)
    },
  })
  if (!report) throw new SourceActionError(`The source "${id}" is being read by another process.`)
  write(`${id}: ${summaryOf(report)}\n`)
  await writeMissing(database, id, report, write)
  return report.outcome === 'done' ? 0 : 1
}

/** Writes each page that isn't in, or answers as before, with its reason, and each sitemap that could not be read. */
async function writeMissing(database: Database, id: string, report: RunReport | null, write: (text: string) => void): Promise<void> {
  for (const { address, state, reason } of [...(report?.notes ?? []), ...(await listMissingPages(database, id, ALL_PAGES))])
    write(`  ${state.padEnd(8)}${address}  ${reason ?? ''}\n`)
}

async function listAll(database: Database, context: SourceCommandContext): Promise<number> {
  const rows = await listSources(database)
  // Without a list of websites, there may be some that were read before.
  const ids = new Set([...(await definitions(context).catch(() => [])).map(({ id }) => id), ...rows.map(({ id }) => id)])
  for (const id of ids) {
    const row = rows.find((one) => one.id === id)
    context.write(`${id}: ${row ? stateOf(row, context.now()) : 'not read yet'}\n`)
  }
  return 0
}

async function showStatus(database: Database, id: string, { write, now }: SourceCommandContext): Promise<void> {
  const row = await knownSource(database, id, TERMINAL)
  write(`${id}: ${stateOf(row, now())}\n`)
  for (const { number, state, pages, created_at: at, hash } of await listSnapshots(database, id)) {
    const mark = number === row.active ? ' (answers)' : ''
    write(`  snapshot ${number}: ${state}${mark}, ${pages} pages, ${new Date(at).toISOString()}, ${hash?.slice(0, 12) ?? 'no hash yet'}\n`)
  }
  await writeMissing(database, id, storedReport(row.report), write)
}

async function showDiff(database: Database, id: string, { write }: SourceCommandContext, addresses: readonly string[]): Promise<void> {
  const row = await knownSource(database, id, TERMINAL)
  for (const address of addresses) await showPage(database, row, address, write)
  if (addresses.length > 0) return
  const { pages } = await readHeldSource(database, row)
  const waiting = pages.flatMap((page) => heldLine(page) ?? [])
  if (waiting.length > 0) writeLines('What waits to be accepted', waiting, write)
  else await showLastChange(database, row, write)
  write('Not in, or as before:\n')
  await writeMissing(database, id, storedReport(row.report), write)
}

function heldLine(page: SourcePage): string | null {
  const kind = heldKind(page)
  return kind && `  ${kind.padEnd(9)}${page.address}  ${page.reason ?? ''}`.trimEnd()
}

function writeLines(title: string, lines: readonly string[], write: (text: string) => void): void {
  write(`${title}:\n`)
  for (const line of lines.slice(0, SHOWN)) write(`${line}\n`)
  if (lines.length > SHOWN) write(`  and ${lines.length - SHOWN} more\n`)
  if (lines.length === 0) write('  nothing\n')
}

/** Writes the lines that only one of a page's two texts has. */
async function showPage(database: Database, row: SourceRow, address: string, write: (text: string) => void): Promise<void> {
  const page = (await readHeldSource(database, row)).pages.find((one) => one.address === address)
  const line = page ? heldLine(page) : null
  if (!page || line === null) throw new SourceActionError(`Nothing of ${address} waits to be accepted.`)
  const hashes = [page.text_hash, page.held_hash]
  const texts = await readTexts(database, row.id, hashes)
  const [before = [], after = []] = hashes.map((hash) => readablePage(texts.get(hash ?? '')).split('\n'))
  write(`${line}\n`)
  for (const text of before) if (!after.includes(text)) write(`    - ${text}\n`)
  for (const text of after) if (!before.includes(text)) write(`    + ${text}\n`)
}

async function showLastChange(database: Database, { id, active }: SourceRow, write: (text: string) => void): Promise<void> {
  const other = (await listSnapshots(database, id)).find(({ state, number }) => state === 'complete' && number < (active ?? 0))
  if (!other || active === null) return write(`The source "${id}" has nothing to compare with yet.\n`)
  const [before, after] = await Promise.all([textsOf(database, id, other.number), textsOf(database, id, active)])
  const lines = [
    ...[...after.keys()].flatMap((address) => (before.has(address) ? [] : [`  new      ${address}`])),
    ...[...after].flatMap(([address, text]) => (before.has(address) && before.get(address) !== text ? [`  changed  ${address}`] : [])),
    ...[...before.keys()].flatMap((address) => (after.has(address) ? [] : [`  gone     ${address}`])),
  ]
  writeLines(`What has changed since snapshot ${other.number}`, lines, write)
}

async function textsOf(database: Database, id: string, snapshot: number): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for await (const pages of readPages(database, id, snapshot))
    for (const { address, text_hash: hash } of pages) if (hash !== null) texts.set(address, hash)
  return texts
}

async function decide(
  database: Database,
  id: string,
  context: SourceCommandContext,
  addresses: readonly string[],
  decision: PageDecision['decision'],
): Promise<void> {
  const decisions = [...new Set(addresses)].map((address) => ({ address, decision }))
  await decidePages(database, id, decisions, actionOf(context))
}

async function remove(database: Database, id: string, context: SourceCommandContext): Promise<void> {
  const isNamed = (await definitions(context).catch(() => [])).some((source) => source.id === id)
  if (isNamed) throw new SourceActionError(`${SOURCES_FILE} still names the source "${id}": remove it there first.`)
  await withLease(database, id, actionOf(context), async () => {
    await deleteSource(database, id)
    context.write(`${id}: deleted.\n`)
  })
}
