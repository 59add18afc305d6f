import { ApprovedDraft } from '../../contract/staff/approved-answers.ts'
import type { Fix, NamedFix } from '../../contract/staff/reports.ts'
import type { Database } from './database.ts'

/** Records of a kind that can be offered. */
const MAX_RECORDS = 2_000

/** Reads records of a kind by name, all or those with the ids. */
type ReadNames = (database: Database, ids: readonly string[] | null) => Promise<{ id: string; name: string }[]>

const READERS: Readonly<Record<Fix['kind'], ReadNames>> = {
  'approved-answer': async (database, ids) => {
    const rows = await database
      .selectFrom('approved_answers')
      .select(['id', 'draft'])
      .$if(ids !== null, (query) => query.where('id', 'in', ids as string[]))
      .orderBy('id')
      .limit(MAX_RECORDS)
      .execute()
    return rows.map(({ id, draft }) => ({ id, name: ApprovedDraft.parse(JSON.parse(draft)).question || id }))
  },
  document: (database, ids) =>
    database
      .selectFrom('uploads')
      .select(['id', 'name'])
      .$if(ids !== null, (query) => query.where('id', 'in', ids as string[]))
      .orderBy('name')
      .limit(MAX_RECORDS)
      .execute(),
  agent: (database, ids) =>
    database
      .selectFrom('managed_agents')
      .select(['id', 'id as name'])
      .$if(ids !== null, (query) => query.where('id', 'in', ids as string[]))
      .orderBy('id')
      .limit(MAX_RECORDS)
      .execute(),
}
const KINDS = Object.keys(READERS) as Fix['kind'][]

/** What staff manage here and a report can be linked to. */
export async function listFixes(database: Database): Promise<NamedFix[]> {
  const found = await Promise.all(KINDS.map(async (kind) => (await READERS[kind](database, null)).map((record) => ({ kind, ...record }))))
  return found.flat()
}

/** Names of records by kind and id, without those that are gone. */
export async function readFixNames(database: Database, fixes: readonly Fix[]): Promise<(fix: Fix) => string | null> {
  const names = new Map<string, string>()
  for (const kind of KINDS) {
    const ids = [...new Set(fixes.flatMap((fix) => (fix.kind === kind ? fix.id : [])))]
    if (ids.length === 0) continue
    for (const { id, name } of await READERS[kind](database, ids)) names.set(`${kind} ${id}`, name)
  }
  return ({ kind, id }) => names.get(`${kind} ${id}`) ?? null
}
