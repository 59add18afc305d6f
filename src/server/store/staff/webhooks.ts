import type { WebhookEvent } from '../../../contract/staff/webhook-events.ts'
import type { WebhookDelivery, WebhookView } from '../../../contract/staff/webhooks.ts'
import { changesRows, countOf, type Database, inTransaction } from '../engine/database.ts'

/** How long an event is retried, and its payload is kept. */
export const PAYLOAD_LIFE_MS = 86_400_000
/** How long a delivery stays listed, which also keeps its event from being sent twice: longer than a month. */
const DELIVERY_LIFE_MS = 32 * PAYLOAD_LIFE_MS
/** Deliveries of a webhook. While as many wait or are new, further events are dropped. */
const MAX_DELIVERIES = 1_000

export type Webhook = Omit<WebhookView, 'createdAt'> & {
  /** Names the installation key from which its secret is derived. */
  keyId: string
  createdAt: number
}

export interface NewDelivery {
  /** The same for the same event and webhook. */
  id: string
  webhook: string
  event: WebhookEvent
  payload: string
  /** The report that it is about, with which it is deleted. */
  report: string | null
  at: number
}

export type Delivery = Omit<WebhookDelivery, 'createdAt'> & {
  /** `null` once it is a day old. */
  payload: string | null
  createdAt: number
}

const DELIVERY = ['id', 'webhook_id as webhook', 'event', 'payload', 'state', 'attempts', 'result', 'created_at as createdAt'] as const

export async function insertWebhook(transaction: Database, { id, url, events, keyId, createdAt }: Webhook): Promise<void> {
  await transaction
    .insertInto('webhooks')
    .values({ id, url, events: JSON.stringify(events), key_id: keyId, created_at: createdAt })
    .execute()
}

export async function listWebhooks(database: Database): Promise<Webhook[]> {
  const rows = await database
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'key_id as keyId', 'created_at as createdAt'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ events, ...row }) => ({ ...row, events: JSON.parse(events) as WebhookEvent[] }))
}

export async function deleteWebhook(transaction: Database, id: string): Promise<boolean> {
  return changesRows(transaction.deleteFrom('webhooks').where('id', '=', id))
}

/** Stores a delivery, unless the event was stored before, or its report or webhook is gone. */
export async function insertDelivery(database: Database, { id, webhook, event, payload, report, at }: NewDelivery): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const owner = await transaction.selectFrom('webhooks').select('id').where('id', '=', webhook).executeTakeFirst()
    if (!owner) return
    if (report !== null && !(await transaction.selectFrom('reports').select('id').where('id', '=', report).executeTakeFirst())) return
    const unsent = transaction.selectFrom('webhook_deliveries').where('webhook_id', '=', webhook).where('payload', 'is not', null)
    if ((await countOf(unsent)) >= MAX_DELIVERIES) return
    const waits = { state: 'pending', attempts: 0, result: null, next_at: at } as const
    await transaction
      .insertInto('webhook_deliveries')
      .values({ id, webhook_id: webhook, event, payload, report_id: report, created_at: at, ...waits })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

export async function hasDelivery(database: Database, id: string): Promise<boolean> {
  return (await database.selectFrom('webhook_deliveries').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Takes the deliveries that are due, each for as long as `leaseMs`, from other processes. */
export async function takeDueDeliveries(
  database: Database,
  { now, leaseMs, limit }: { now: number; leaseMs: number; limit: number },
): Promise<Delivery[]> {
  const due = await database
    .selectFrom('webhook_deliveries')
    .select(DELIVERY)
    .where('state', '=', 'pending')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .execute()
  const taken: Delivery[] = []
  for (const row of due) {
    const { numUpdatedRows } = await database
      .updateTable('webhook_deliveries')
      .set({ next_at: now + leaseMs, attempts: row.attempts + 1 })
      .where('id', '=', row.id)
      .where('attempts', '=', row.attempts)
      .where('state', '=', 'pending')
      .executeTakeFirst()
    if (numUpdatedRows > 0n) taken.push({ ...row, attempts: row.attempts + 1 })
  }
  return taken
}

/** Records how an attempt ended. `nextAt`: when the next one is due. */
export async function recordAttempt(
  database: Database,
  { id, state, result, nextAt }: Pick<Delivery, 'id' | 'state'> & { result: string; nextAt: number },
): Promise<void> {
  await database.updateTable('webhook_deliveries').set({ state, result, next_at: nextAt }).where('id', '=', id).execute()
}

export function listDeliveries(database: Database, limit: number): Promise<Delivery[]> {
  return database.selectFrom('webhook_deliveries').select(DELIVERY).orderBy('created_at', 'desc').orderBy('id').limit(limit).execute()
}

/** Ends what is a day old, erases its payload, and deletes old deliveries. */
export async function expireDeliveries(database: Database, now: number): Promise<void> {
  const old = now - PAYLOAD_LIFE_MS
  await database
    .updateTable('webhook_deliveries')
    .set({ state: 'failed' })
    .where('state', '=', 'pending')
    .where('created_at', '<=', old)
    .execute()
  await database
    .updateTable('webhook_deliveries')
    .set({ payload: null })
    .where('created_at', '<=', old)
    .where('payload', 'is not', null)
    .execute()
  await database
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<=', now - DELIVERY_LIFE_MS)
    .execute()
}

/** Reports since a time, without the text that was handed over. */
export function listNewReports(database: Database, since: number) {
  return database
    .selectFrom('reports')
    .leftJoin('messages', (join) =>
      join.onRef('messages.session_id', '=', 'reports.session_id').onRef('messages.position', '=', 'reports.position'),
    )
    .select(['reports.id', 'reports.scope', 'reports.thumb', 'reports.created_at', 'messages.role as author'])
    .where('reports.created_at', '>=', since)
    .orderBy('reports.created_at')
    .limit(MAX_DELIVERIES)
    .execute()
}
