import { createHmac, hkdfSync } from 'node:crypto'

const PREFIX = 'whsec_'

/** The secret of a webhook, as receivers enter it. Derived, so that neither the database nor a backup has it. */
export function webhookSecret(installationKey: string, id: string): string {
  return PREFIX + Buffer.from(hkdfSync('sha256', installationKey, id, 'parley webhook', 32)).toString('base64')
}

/** Headers of the Standard Webhooks specification for a message that is sent at `now`. */
export function signatureHeaders(
  secret: string,
  { id, payload, now }: { id: string; payload: string; now: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
