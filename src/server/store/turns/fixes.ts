import { ApprovedDraft } from '../../../contract/staff/content/approved-answers.ts'
import type { Fix, NamedFix } from '../../../contract/staff/reports.ts'
import type { Database } from '../engine/database.ts'

const MAX_RECORDS = 2_000

const KINDS = ['approved-answer', 'document', 'agent'] as const satisfies readonly Fix['kind'][]

async function readNames(database: Database, kind: Fix['kind'], ids: readonly string[] | null): Promise<{ id: string; name: string }[]> {
  const rows = await database
    .selectFrom('managed_texts')
    .select(['id', 'name', 'draft'])
    .where('kind', '=', kind)
    .$if(ids !== null, (query) => query.where('id', 'in', ids as string[]))
    .orderBy('name')
    .orderBy('id')
    .limit(MAX_RECORDS)
    .execute()
  return rows.map(({ id, name, draft }) => {
    const question = kind === 'approved-answer' && ApprovedDraft.parse(JSON.parse(draft)).question
    return { id, name: question || (name ?? id) }
  })
}

/** Lists managed records that a report can be linked to. */
export async function listFixes(database: Database): Promise<NamedFix[]> {
  const found = await Promise.all(KINDS.map(async (kind) => (await readNames(database, kind, null)).map((record) => ({ kind, ...record }))))
  return found.flat()
}

/** Names of records by kind and id, without those that are gone. */
export async function readFixNames(database: Database, fixes: readonly Fix[]): Promise<(fix: Fix) => string | null> {
  const names = new Map<string, string>()
  for (const kind of KINDS) {
    const ids = [...new Set(fixes.flatMap((fix) => (fix.kind === kind ? fix.id : [])))]
    if (ids.length === 0) continue
    for (const { id, name } of await readNames(database, kind, ids)) names.set(`${kind} ${id}`, name)
  }
  return ({ kind, id }) => names.get(`${kind} ${id}`) ?? null
}
