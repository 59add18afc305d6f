/** Events that a webhook sends. What derives from several visitors comes once a day. */
export const WEBHOOK_EVENTS = [
  'report.created',
  'source.failed',
  'source.changed',
  'budget.threshold',
  'backup.failed',
  'problem.opened',
  'figures.daily',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
