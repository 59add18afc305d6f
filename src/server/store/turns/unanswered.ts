import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { unrestricted } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'
import type { RecordChange } from '../staff/audit-log.ts'

/** Why a prompt counts as one without an answer. */
export type UnansweredReason = 'notCovered' | 'ratedDown'

export interface UnansweredPrompt {
  turnId: string
  owner: string
  text: string
  /** In milliseconds since the epoch. */
  at: number
  reasons: Set<UnansweredReason>
}

/** A prompt of a recent chat, whatever became of it. */
export interface RecentPrompt {
  text: string
  at: number
  isAnswered: boolean
}

interface Period {
  since: number
  before: number
  /** Chats without activity since are deleted. */
  expiredBefore: number
  limit: number
}

/** Prompts of stored chats whose answer says that nothing covers them or was rated down. Never those of temporary chats. */
export async function readUnanswered(database: Database, { since, before, expiredBefore, limit }: Period): Promise<UnansweredPrompt[]> {
  const found = new Map<string, UnansweredPrompt>()
  const add = (reason: UnansweredReason, rows: Awaited<ReturnType<ReturnType<typeof prompts>['execute']>>) => {
    for (const { parts, ...row } of rows) {
      const known = found.get(row.turnId)
      if (known) known.reasons.add(reason)
      else found.set(row.turnId, { ...row, text: textOfParts(parts), reasons: new Set([reason]) })
    }
  }
  const prompts = () =>
    unrestricted(database)
      .selectFrom('turns')
      .innerJoin('sessions', 'sessions.id', 'turns.session_id')
      .innerJoin('messages', (join) =>
        join.onRef('messages.session_id', '=', 'turns.session_id').onRef('messages.id', '=', 'turns.prompt_id'),
      )
      .select(['turns.id as turnId', 'sessions.owner', 'messages.parts', 'turns.started_at as at'])
      .where('sessions.temporary', '=', 0)
      .where('sessions.updated_at', '>=', expiredBefore)
      .where('turns.started_at', '>=', since)
      .where('turns.started_at', '<', before)
      .limit(limit)
  add('notCovered', await prompts().where('turns.state', '=', 'not_covered').orderBy('turns.started_at', 'desc').execute())
  const ratedDown = prompts()
    .innerJoin('messages as answers', (join) =>
      join.onRef('answers.session_id', '=', 'turns.session_id').onRef('answers.turn_id', '=', 'turns.id'),
    )
    .innerJoin('feedback', (join) =>
      join.onRef('feedback.session_id', '=', 'answers.session_id').onRef('feedback.position', '=', 'answers.position'),
    )
    .where('feedback.thumb', '=', 'down')
    .where('feedback.given_at', '>=', since)
    .orderBy('feedback.given_at', 'desc')
  add('ratedDown', await ratedDown.execute())
  return [...found.values()]
}

/** Prompts of the chats with the latest activity, to tell what is asked about anyway. */
export async function readRecentPrompts(database: Database, { since, before, expiredBefore, limit }: Period): Promise<RecentPrompt[]> {
  const sessions = unrestricted(database)
    .selectFrom('sessions')
    .select('id')
    .where('updated_at', '>=', Math.max(since, expiredBefore))
    .where('temporary', '=', 0)
    .orderBy('updated_at', 'desc')
    .limit(limit)
  const rows = await unrestricted(database)
    .selectFrom('turns')
    .innerJoin('messages', (join) =>
      join.onRef('messages.session_id', '=', 'turns.session_id').onRef('messages.id', '=', 'turns.prompt_id'),
    )
    .select(['messages.parts', 'turns.started_at', 'turns.state'])
    .where('turns.session_id', 'in', sessions)
    .where('turns.started_at', '>=', since)
    .where('turns.started_at', '<', before)
    .limit(limit * 3)
    .execute()
  return rows.map(({ parts, started_at: at, state }) => ({ text: textOfParts(parts), at, isAnswered: state === 'answered' }))
}

const textOfParts = (parts: string) => textOf({ parts: JSON.parse(parts) as ChatMessage['parts'] })

export async function readDismissals(database: Database): Promise<Map<string, number>> {
  const rows = await database.selectFrom('dismissed_topics').selectAll().execute()
  return new Map(rows.map(({ id, dismissed_at: at }) => [id, at]))
}

/** Hides a topic until it is asked about again, with what else belongs to the change, and forgets dismissals before `forgotten`. */
export async function dismissTopic(
  database: Database,
  topic: { id: string; now: number; forgotten: number },
  record: RecordChange,
): Promise<void> {
  const { id, now, forgotten } = topic
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('dismissed_topics').where('dismissed_at', '<', forgotten).execute()
    await transaction
      .insertInto('dismissed_topics')
      .values({ id, dismissed_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ dismissed_at: now }))
      .execute()
    await record(transaction)
  })
}
