import { z } from 'zod'
import { StaffId } from './session.ts'
import { DELIVERY_STATES, WEBHOOK_EVENTS } from './webhook-events.ts'

export const MAX_WEBHOOKS = 10

const Timestamp = z.iso.datetime()
const Events = z.array(z.enum(WEBHOOK_EVENTS))

export const NewWebhook = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe('Target: https, or a host of `CONSOLE_PRIVATE_HOSTS`.'),
  events: Events.min(1).max(WEBHOOK_EVENTS.length),
})
export const WebhookView = z.object({ id: StaffId, url: z.string(), events: Events, createdAt: Timestamp })
export type WebhookView = z.infer<typeof WebhookView>

/** The secret with which a receiver verifies signatures, shown only now. */
export const CreatedWebhook = WebhookView.extend({ secret: z.string() })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

export const WebhookDelivery = z.object({
  id: z.string().describe('The same for each attempt, as the header `webhook-id`.'),
  webhook: StaffId,
  event: z.enum(WEBHOOK_EVENTS),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  result: z.string().nullable().describe('Status of the last attempt, or why it got no answer.'),
  createdAt: Timestamp,
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookList = z.object({
  webhooks: z.array(WebhookView),
  deliveries: z.array(WebhookDelivery).describe('Newest first, at most a hundred.'),
})
export type WebhookList = z.infer<typeof WebhookList>
