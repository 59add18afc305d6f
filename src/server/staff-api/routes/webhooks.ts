import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Removed, StaffId } from '../../../contract/staff/session.ts'
import { CreatedWebhook, DeliveryId, MAX_WEBHOOKS, NewWebhook, WebhookList } from '../../../contract/staff/webhooks.ts'
import { keyIdOf } from '../../keys.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { AuditAction } from '../../staff/audit.ts'
import type { Database } from '../../store/engine/database.ts'
import { deleteWebhook, insertWebhook, listDeliveries, listWebhooks, sendAgain, type Webhook } from '../../store/staff/webhooks.ts'
import { webhookSecret } from '../../webhooks/signature.ts'
import { isAllowedTarget } from '../../webhooks/webhooks.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { staffRoute } from '../staff-route.ts'

const PATH = '/api/staff/v1/webhooks'
const MAX_LISTED = 100
const tags = ['webhooks']
const config = { staff: 'manage-staff', isSensitive: true } as const

/** Webhooks, and what they have delivered. */
export function webhookRoutes(app: Server, { database, audit, keys, privateHosts, now }: ConsoleRouteOptions): void {
  const record = (transaction: Database, actor: string, action: AuditAction, target: string) =>
    audit.append(transaction, { at: now(), actor, action, target })

  app.get(
    PATH,
    staffRoute({ summary: 'List webhooks and their deliveries', tags, reply: WebhookList }, { staff: 'manage-staff' }),
    async () => ({
      webhooks: (await listWebhooks(database)).map(viewOf),
      deliveries: (await listDeliveries(database, MAX_LISTED)).map(({ payload, createdAt, ...delivery }) => ({
        ...delivery,
        createdAt: new Date(createdAt).toISOString(),
        canBeSent: payload !== null,
      })),
    }),
  )

  app.post(
    PATH,
    staffRoute({ summary: 'Create a webhook', tags, body: NewWebhook, reply: CreatedWebhook }, config),
    async (request, reply) => {
      const { url, events } = request.body
      if (!isAllowedTarget(new URL(url), privateHosts)) return rejectStaff(reply, 'target_not_allowed')
      const webhook: Webhook = {
        id: randomBytes(8).toString('hex'),
        url,
        events: [...new Set(events)],
        keyId: keyIdOf(keys[0]),
        createdAt: now(),
      }
      const isStored = await database.transaction().execute(async (transaction) => {
        if ((await listWebhooks(transaction)).length >= MAX_WEBHOOKS) return false
        await record(transaction, staffOf(request).member.id, 'webhook.create', webhook.id)
        await insertWebhook(transaction, webhook)
        return true
      })
      if (!isStored) return rejectStaff(reply, 'too_many_webhooks')
      return { ...viewOf(webhook), secret: webhookSecret(keys[0], webhook.id) }
    },
  )

  app.delete(
    `${PATH}/:id`,
    staffRoute({ summary: 'Delete a webhook', tags, params: z.object({ id: StaffId }), reply: Removed }, config),
    async (request, reply) => {
      const { id } = request.params
      const isDeleted = await database.transaction().execute(async (transaction) => {
        const isGone = await deleteWebhook(transaction, id)
        if (isGone) await record(transaction, staffOf(request).member.id, 'webhook.delete', id)
        return isGone
      })
      return isDeleted ? { removed: true as const } : reject(reply, 'not_found')
    },
  )

  app.post(
    `${PATH}/deliveries/:id/sending`,
    staffRoute(
      {
        summary: 'Send a delivery of a webhook again',
        tags,
        params: z.object({ id: DeliveryId }),
        body: z.strictObject({}),
        reply: z.object({ isQueued: z.literal(true) }),
      },
      { staff: 'manage-staff' },
    ),
    async (request, reply) => {
      const { id } = request.params
      const isQueued = await database.transaction().execute(async (transaction) => {
        const isDue = await sendAgain(transaction, id, now())
        if (isDue) await record(transaction, staffOf(request).member.id, 'webhook.send-again', id)
        return isDue
      })
      return isQueued ? { isQueued: true as const } : reject(reply, 'not_found')
    },
  )
}

function viewOf({ id, url, events, createdAt }: Webhook) {
  return { id, url, events: [...events], createdAt: new Date(createdAt).toISOString() }
}
