import { setImmediate as immediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kind } from '../../../contract/receipt-labels.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema/schema.ts'

type Table = keyof Schema

/**
 * How rows belong to a principal: by a column with the principal, or by a foreign key to `of` with cascading deletion. `kind` names the
 * rows for the visitor; null for tables without visitor data.
 */
export type TableOwnership = { kind: Kind; owner: string } | { kind: Kind; column: string; of: Table } | null

/**
 * All tables, each after the one it references. Counting, deletion, verification and reports derive from this. A missing table doesn't
 * compile, and a test compares the list with the database.
 */
export const TABLE_OWNERSHIP: Record<Table, TableOwnership> = {
  visitors: { kind: 'visitor', owner: 'id' },
  visitor_keys: { kind: 'devices', owner: 'visitor_id' },
  transfers: { kind: 'transfer codes', owner: 'visitor_id' },
  accepted_notices: { kind: 'accepted notices', owner: 'visitor_id' },
  waiting_files: { kind: 'unsent files', owner: 'owner' },
  sessions: { kind: 'chats', owner: 'owner' },
  messages: { kind: 'messages', column: 'session_id', of: 'sessions' },
  feedback: { kind: 'ratings', column: 'session_id', of: 'sessions' },
  files: { kind: 'files', column: 'session_id', of: 'sessions' },
  turns: { kind: 'answers', column: 'session_id', of: 'sessions' },
  idempotency_keys: { kind: 'request records', column: 'turn_id', of: 'turns' },
  turn_events: { kind: 'partial answers', column: 'turn_id', of: 'turns' },
  reports: { kind: 'reports', column: 'session_id', of: 'sessions' },
  webhooks: null,
  webhook_deliveries: { kind: 'report notices', column: 'report_id', of: 'reports' },
  readings: { kind: 'readings', column: 'session_id', of: 'sessions' },
  corrections: { kind: 'corrections', column: 'session_id', of: 'sessions' },
  readable_prompts: { kind: 'messages open to staff', column: 'session_id', of: 'sessions' },
  quota_counts: null,
  budgets: null,
  address_salts: null,
  processes: null,
  installation_facts: null,
  stops: null,
  version_texts: null,
  sources: null,
  source_snapshots: null,
  source_pages: null,
  source_texts: null,
  audit_log: null,
  staff: null,
  staff_sessions: null,
  staff_links: null,
  staff_passkeys: null,
  staff_tokens: null,
  daily_figures: null,
  daily_visitors: null,
  daily_topics: null,
  dismissed_topics: null,
  adjusted_limits: null,
  used_challenges: null,
  managed_texts: null,
  managed_versions: null,
  agent_evaluations: null,
}

/** Number of rows by kind. */
export type Counts = Record<string, number>

const TABLES = Object.keys(TABLE_OWNERSHIP) as Table[]
/** Ids per query. */
const MAX_IDS = 500

/** Tables with a principal column, except sessions. */
export const OWNED_TABLES = TABLES.flatMap((table) => {
  const ownership = TABLE_OWNERSHIP[table]
  return table !== 'sessions' && ownership && 'owner' in ownership ? [{ table, ...ownership }] : []
})

/** Dependent rows of sessions by table. Read it before deletion and pass it to `countRows` before and after. */
export async function parentsOf(database: Database, sessionIds: string[]): Promise<Map<Table, string[]>> {
  const ids = new Map<Table, string[]>([['sessions', sessionIds]])
  for (const table of TABLES) {
    const ownership = TABLE_OWNERSHIP[table]
    if (!isParent(table) || !ownership || !('of' in ownership)) continue
    const found: string[] = []
    for await (const part of inParts(ids.get(ownership.of) ?? [])) {
      const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} where ${isOneOf(ownership.column, part)}`.execute(
        database,
      )
      found.push(...rows.map((row) => row.id))
    }
    ids.set(table, found)
  }
  return ids
}

/** Counts sessions and dependent rows. */
export async function countRows(database: Database, parents: Map<Table, string[]>): Promise<Counts> {
  const counts: Counts = {}
  for (const table of TABLES) {
    const ownership = TABLE_OWNERSHIP[table]
    if (!ownership || (table !== 'sessions' && 'owner' in ownership)) continue
    const [column, of] = 'of' in ownership ? [ownership.column, ownership.of] : ['id', table]
    counts[ownership.kind] = 0
    for await (const part of inParts(parents.get(of) ?? [])) {
      counts[ownership.kind] = (counts[ownership.kind] ?? 0) + (await count(database, table, isOneOf(column, part)))
    }
  }
  return counts
}

/** Counts the principal's own rows, except sessions. */
export async function countOwned(database: Database, owner: string): Promise<Counts> {
  const counts: Counts = {}
  for (const { table, kind, owner: column } of OWNED_TABLES) counts[kind] = await count(database, table, isOneOf(column, [owner]))
  return counts
}

export function addCounts(a: Counts, b: Counts): Counts {
  const kinds = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(kinds.map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)]))
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, value) => sum + value, 0)
}

function isParent(table: Table): boolean {
  return TABLES.some((other) => {
    const ownership = TABLE_OWNERSHIP[other]
    return ownership && 'of' in ownership && ownership.of === table
  })
}

async function count(database: Database, table: Table, condition: ReturnType<typeof isOneOf>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)} where ${condition}`.execute(database)
  return Number(rows[0]?.count)
}

function isOneOf(column: string, values: string[]) {
  return sql`${sql.ref(column)} in (${sql.join(values)})`
}

/** The event loop gets its turn between the parts. */
async function* inParts(ids: string[]): AsyncGenerator<string[]> {
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    if (start > 0) await immediate()
    yield ids.slice(start, start + MAX_IDS)
  }
}
