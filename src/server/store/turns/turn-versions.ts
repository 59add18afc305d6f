import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Texts that an answer was made from. The turn stores the hash of each. */
export interface AnswerVersions {
  agent: string
  policy: string
  /** `null` if the knowledge was not loaded yet. */
  knowledge: string | null
  /** Name of the model that answered; `null` for a fixed reply. */
  model: string | null
}

export type StoredVersions = Pick<Selectable<Schema['turns']>, 'agent_hash' | 'policy_hash' | 'knowledge_hash' | 'model'>

export const NO_VERSIONS: StoredVersions = { agent_hash: null, policy_hash: null, knowledge_hash: null, model: null }

/** A text that is named by new turns is written again this often, so that it is not taken for unused. */
const WRITE_AGAIN_MS = 60 * 60 * 1000
/** A text that no turn names is deleted after this time. */
const UNUSED_MS = 24 * 60 * 60 * 1000
const MAX_REMEMBERED = 1_000

export function storedVersions({ agent, policy, knowledge, model }: AnswerVersions): StoredVersions {
  return { agent_hash: hashOf(agent), policy_hash: hashOf(policy), knowledge_hash: knowledge === null ? null : hashOf(knowledge), model }
}

/** When this process wrote a text last, by database and hash. */
const writtenAt = new WeakMap<object, Map<string, number>>()

/** Stores the texts behind the hashes, once an hour each. */
export async function storeVersionTexts(database: Database, { agent, policy, knowledge }: AnswerVersions, now: number): Promise<void> {
  const written = writtenAt.get(database) ?? new Map<string, number>()
  writtenAt.set(database, written)
  const due = Object.entries({ agent, policy, knowledge }).flatMap(([kind, content]) =>
    content === null ? [] : [{ hash: hashOf(content), kind, content, seen_at: now }],
  )
  const rows = due.filter((row) => now - (written.get(row.hash) ?? Number.NEGATIVE_INFINITY) >= WRITE_AGAIN_MS)
  if (rows.length === 0) return
  // In one order, so that processes that write the same rows don't deadlock.
  for (const row of rows.toSorted((one, other) => (one.hash < other.hash ? -1 : 1)))
    await database
      .insertInto('version_texts')
      .values(row)
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ seen_at: now }))
      .execute()
  if (written.size > MAX_REMEMBERED) written.clear()
  for (const row of rows) written.set(row.hash, now)
}

export async function deleteUnusedVersionTexts(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('version_texts')
    .where('seen_at', '<', now - UNUSED_MS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('turns')
            .select('turns.id')
            .where(({ eb, or, ref }) =>
              or([
                eb('turns.agent_hash', '=', ref('version_texts.hash')),
                eb('turns.policy_hash', '=', ref('version_texts.hash')),
                eb('turns.knowledge_hash', '=', ref('version_texts.hash')),
              ]),
            ),
        ),
      ),
    )
    .execute()
}

const hashes = new Map<string, string>()

/** SHA-256, hex, remembered for the texts in use, of which there are few. */
function hashOf(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const made = hash('sha256', text, 'hex')
  if (hashes.size >= 100) hashes.clear()
  hashes.set(text, made)
  return made
}
