import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeModel } from '../models/connect-model.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import { keyIdOf } from '../keys.ts'
import { moneyUsed } from '../limits/money-used.ts'
import type { Database } from '../store/engine/database.ts'
import { countMigrations, openReader } from '../store/engine/open-database.ts'
import { countClientChats, countInstallation } from '../store/visitors/installation-counts.ts'
import { newestTime } from '../store/engine/installation-facts.ts'
import { UnusableDatabase } from '../store/engine/schema-version.ts'
import { readStops } from '../store/staff/stops.ts'
import { listWebhooks } from '../store/staff/webhooks.ts'
import { existingInstallationKey } from '../visitors/installation-key.ts'
import { readRing } from '../visitors/key-ring.ts'
import { freeBytes, readSystemFacts } from '../app/health/system-facts.ts'
import { readReadiness } from './doctor/ask-server.ts'
import { readLimitsInForce } from '../limits/runtime-limits.ts'
import { localAddress } from '../app/local-address.ts'
import { readingRequests } from '../app/staff-reading.ts'
import type { CommandResult } from './operator-command.ts'

const MB = 1024 * 1024

type Row = readonly [name: string, value: string]

/** Output of `parley status`: state of the server and its database. The exit code is 1 if the server takes no prompts. */
export async function readStatus(settings: Settings, release: string): Promise<CommandResult> {
  const { rows: server, isReady } = await serverRows(settings)
  const rows: Row[] = [
    ['Release', release],
    ...server,
    ...modelRows(settings),
    ...readingRequests(settings).map((text): Row => ['Staff reading', text]),
    ...(await databaseRows(settings)),
    ...(await spaceRows(settings)),
  ]
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return { output: rows.map(([name, value]) => `${name.padEnd(width)}${value}\n`).join(''), exitCode: isReady ? 0 : 1 }
}

async function serverRows({ host, port, metricsToken }: Settings): Promise<{ rows: Row[]; isReady: boolean }> {
  const url = localAddress(host, port)
  const readiness = await readReadiness(new URL(url), metricsToken).catch(() => undefined)
  if (!readiness) return { rows: [['Server', `not running at ${url}`]], isReady: false }
  const { status, code, problems, details = problems, indexing, embedding } = readiness
  const isReady = status === 200
  const index: Row[] = indexing ? [['Indexing', `${indexing.indexed} of ${indexing.total} files`]] : []
  const vectors: Row[] = embedding ? [['Embedding', `${embedding.embedded} of ${embedding.total} passages`]] : []
  const problemRows = details.map((detail): Row => ['Problem', detail])
  return {
    rows: [['Server', isReady ? `takes prompts at ${url}` : `takes no prompts at ${url} (${code})`], ...index, ...vectors, ...problemRows],
    isReady,
  }
}

function modelRows({ model, fallback, embedding }: Settings): Row[] {
  const named = (settings: Settings['model']) => {
    const { label, provider } = describeModel(settings)
    return provider === null ? label : `${label} at ${provider}`
  }
  return [
    ['Model', named(model)],
    ...(fallback ? [['Fallback model', named(fallback.model)] as const] : []),
    ['Embeddings', embedding === null ? 'none: searched by words alone' : embedding.kind],
  ]
}

async function databaseRows(settings: Settings): Promise<Row[]> {
  const { database } = settings
  const kind = database.kind === 'sqlite' ? 'embedded' : 'PostgreSQL'
  if (database.kind === 'sqlite' && !existsSync(join(database.directory, 'parley.db'))) return [['Database', `${kind}, not created yet`]]
  await using reader = await openReader(database)
  try {
    if ((await countMigrations(reader)).applied === 0) return [['Database', `${kind}, no tables yet`]]
    return await contentRows(reader, kind, settings)
  } catch (error) {
    const { code } = error as { code?: string }
    return [
      [
        'Database',
        error instanceof UnusableDatabase || error instanceof SettingsError
          ? error.message
          : `${kind}, cannot be used (${code ?? String(error)}): parley doctor says more`,
      ],
    ]
  }
}

async function contentRows(reader: Database, kind: string, settings: Settings): Promise<Row[]> {
  const { chats, visitors } = await countInstallation(reader)
  const facts = await readSystemFacts(reader, settings.dataDirectory, Date.now())
  const { migrations, databaseBytes, runningTurns, backup, sources } = facts
  const { stops } = await readStops(reader)
  const newest = await newestTime(reader)
  const money = await moneyUsed(reader, (await readLimitsInForce(reader, settings)).budgets, Date.now())
  return [
    ['Migrations', `${migrations.applied} applied, ${migrations.pending} pending`],
    ['Database', `${kind}, ${Math.ceil(databaseBytes / MB)} MB`],
    ['Chats', `${chats} of ${visitors} visitors`],
    ['Running answers', String(runningTurns)],
    ...sources.map(({ id, state }) => [`Source ${id}`, state] as const),
    ['Stops', stops.length === 0 ? 'none' : `${stops.length} (parley stop-answering --list)`],
    ...money.map(({ period, used, limit }) => [`Budget per ${period}`, `${used.toFixed(2)} of ${limit} used`] as const),
    ['Last backup', backup.lastAt ?? 'none recorded'],
    ['Last rehearsal', backup.rehearsedAt ?? 'none recorded'],
    ['Last run', newest === null ? 'never' : new Date(newest).toISOString()],
    ...(await keyRows(reader, settings)),
  ]
}

/** After a change of the installation key: whether it is complete, and what still needs the former keys. */
async function keyRows(reader: Database, { installationKey, previousKey, dataDirectory }: Settings): Promise<Row[]> {
  const key = await existingInstallationKey(installationKey, dataDirectory)
  if (key === undefined) return []
  const { keys, isToSeal } = await readRing(reader, key, previousKey)
  if (keys.length === 1) return []
  const chats = await countClientChats(reader)
  const webhooks = (await listWebhooks(reader)).filter(({ keyId }) => keyId !== keyIdOf(key)).length
  const previous = previousKey === null ? '' : '; INSTALLATION_KEY_PREVIOUS is not needed any more'
  return [
    ['Installation key', isToSeal ? 'INSTALLATION_KEY_PREVIOUS is needed until the server has started' : `${keyIdOf(key)}${previous}`],
    [
      'Former keys',
      `${keys.length - 1}, for chats under client ids (${chats}), staff of the sign-in provider, audit log, ledger of erasures, webhooks (${webhooks}), receipts`,
    ],
  ]
}

async function spaceRows({ dataDirectory }: Settings): Promise<Row[]> {
  const free = await freeBytes(dataDirectory)
  return free === null ? [] : [['Free space', `${Math.floor(free / MB)} MB in ${dataDirectory}`]]
}
