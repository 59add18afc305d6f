import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { StaffId } from '../../../contract/staff/session.ts'
import { CreatedWebhook, MAX_WEBHOOKS, NewWebhook, WebhookList } from '../../../contract/staff/webhooks.ts'
import { keyIdOf } from '../../keys.ts'
import type { Server } from '../../platform/server.ts'
import { changeAndRecord } from '../../store/staff/audit-log.ts'
import { deleteWebhook, insertWebhook, listDeliveries, listWebhooks, type Webhook } from '../../store/staff/webhooks.ts'
import { webhookSecret } from '../../webhooks/signature.ts'
import { isAllowedTarget } from '../../webhooks/webhooks.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { Done, doneOrMissing, sensitive, staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/webhooks'
const MAX_LISTED = 100
const route = staffRoutes('webhooks')
const config = sensitive('manage-staff')

/** Webhooks, and what they have delivered. */
export function webhookRoutes(app: Server, { database, record, keys, privateHosts, now }: ConsoleRouteOptions): void {
  app.get(PATH, route('manage-staff', { summary: 'List webhooks and their deliveries', reply: WebhookList }), async () => ({
    webhooks: (await listWebhooks(database)).map(viewOf),
    deliveries: (await listDeliveries(database, MAX_LISTED)).map(({ payload: _payload, createdAt, ...delivery }) => ({
      ...delivery,
      createdAt: new Date(createdAt).toISOString(),
    })),
  }))

  app.post(PATH, route(config, { summary: 'Create a webhook', body: NewWebhook, reply: CreatedWebhook }), async (request, reply) => {
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
      await record(request, 'webhook.create', webhook.id)(transaction)
      await insertWebhook(transaction, webhook)
      return true
    })
    if (!isStored) return rejectStaff(reply, 'too_many_webhooks')
    return { ...viewOf(webhook), secret: webhookSecret(keys[0], webhook.id) }
  })

  app.delete(
    `${PATH}/:id`,
    route(config, { summary: 'Delete a webhook', params: z.object({ id: StaffId }), reply: Done }),
    async (request, reply) => {
      const { id } = request.params
      const isDeleted = await changeAndRecord(
        database,
        (transaction) => deleteWebhook(transaction, id),
        record(request, 'webhook.delete', id),
      )
      return doneOrMissing(reply, isDeleted)
    },
  )
}

function viewOf({ keyId: _keyId, createdAt, ...webhook }: Webhook) {
  return { ...webhook, createdAt: new Date(createdAt).toISOString() }
}
