import { createHash } from 'node:crypto'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { OWN_NETWORK, PUBLIC_ONLY } from '../egress/address-policy.ts'
import { createEgress } from '../egress/egress.ts'
import { EgressError } from '../egress/egress-error.ts'
import { type InstallationKeys, keyIdOf } from '../keys.ts'
import type { Database } from '../store/engine/database.ts'
import {
  type Delivery,
  expireDeliveries,
  hasDelivery,
  insertDelivery,
  listWebhooks,
  PAYLOAD_LIFE_MS,
  recordAttempt,
  takeDueDeliveries,
  type Webhook,
} from '../store/staff/webhooks.ts'
import { signatureHeaders, webhookSecret } from './signature.ts'
import {
  dailyKey,
  findDailyFigures,
  findFailedBackup,
  findProblems,
  findReports,
  findSourceRuns,
  type FoundEvent,
} from './webhook-events.ts'

const TICK_MS = 5_000
/** Between looks at what takes more than an index to find, and at what has expired. */
const LOOK_MS = 30_000
const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 10_000, maxBytes: 64 * 1024, maxRedirects: 0 }
/** Longer than an attempt takes. */
const LEASE_MS = 60_000
const MAX_AT_ONCE = 20
const FIRST_DELAY_MS = 5_000
const MAX_DELAY_MS = 2 * 3_600_000

export interface WebhooksOptions {
  database: Database
  keys: InstallationKeys
  /** Hosts whose targets may be private, and use http. */
  privateHosts: readonly string[]
  status: () => Promise<Pick<InstallationStatus, 'attention'>>
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** Finds events in what is stored, puts them into the outbox, and delivers them at least once, with retries for a day. */
export class Webhooks {
  readonly #options: WebhooksOptions
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #ticking: Promise<void> | null = null
  #nextLookAt = 0

  constructor(options: WebhooksOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#ticking ??= this.tick()
        .catch((cause: unknown) => this.#options.onFault('Sending webhooks failed; trying again', cause))
        .finally(() => (this.#ticking = null))
    }, TICK_MS).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#ticking
  }

  /** One round: finds events, sends what is due, and erases what is old. */
  async tick(): Promise<void> {
    const { database, now } = this.#options
    const webhooks = await listWebhooks(database)
    if (webhooks.length === 0) return
    const isLooking = now() >= this.#nextLookAt
    if (isLooking) this.#nextLookAt = now() + LOOK_MS
    await this.#collect(webhooks, isLooking)
    const due = await takeDueDeliveries(database, { now: now(), leaseMs: LEASE_MS, limit: MAX_AT_ONCE })
    await Promise.all(due.map((delivery) => this.#send(delivery, webhooks)))
    if (isLooking) await expireDeliveries(database, now())
  }

  async #collect(webhooks: readonly Webhook[], isLooking: boolean): Promise<void> {
    const { database, now, status } = this.#options
    const since = now() - PAYLOAD_LIFE_MS
    const wants = (type: FoundEvent['type']) => webhooks.some(({ events }) => events.includes(type))
    const found = wants('report.created') ? await findReports(database, since) : []
    if (isLooking) {
      found.push(...(await findSourceRuns(database, since)), ...(await findFailedBackup(database, since)))
      if (wants('problem.opened') || wants('budget.threshold')) found.push(...findProblems(await status(), now()))
      for (const { id, events } of webhooks)
        if (events.includes('figures.daily') && !(await hasDelivery(database, deliveryId(id, 'figures.daily', dailyKey(now()))))) {
          found.push(await findDailyFigures(database, now()))
          break
        }
    }
    for (const event of found) await this.#store(event, webhooks)
  }

  async #store({ type, key, at, data, report }: FoundEvent, webhooks: readonly Webhook[]) {
    const payload = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
    for (const { id: webhook, events, createdAt } of webhooks) {
      const id = deliveryId(webhook, type, key)
      if (!events.includes(type) || at < createdAt || (await hasDelivery(this.#options.database, id))) continue
      await insertDelivery(this.#options.database, { id, webhook, event: type, payload, report: report ?? null, at: this.#options.now() })
    }
  }

  async #send({ id, webhook, payload, attempts, createdAt }: Delivery, webhooks: readonly Webhook[]): Promise<void> {
    const { database, now } = this.#options
    const target = webhooks.find((one) => one.id === webhook)
    if (!target || payload === null) return
    const result = await this.#post(target, { id, payload })
    if (this.#stopping.signal.aborted) return
    const isDelivered = /^2\d\d$/.test(result)
    const nextAt = now() + Math.min(FIRST_DELAY_MS * 3 ** Math.min(attempts - 1, 10), MAX_DELAY_MS)
    const isOver = nextAt >= createdAt + PAYLOAD_LIFE_MS
    await recordAttempt(database, { id, state: isDelivered ? 'delivered' : isOver ? 'failed' : 'pending', result, nextAt })
  }

  /** Resolves with the status of the reply, or with why there is none. */
  async #post({ id: webhook, url: address, keyId }: Webhook, { id, payload }: { id: string; payload: string }): Promise<string> {
    const { keys, privateHosts, now } = this.#options
    const key = keys.find((one) => keyIdOf(one) === keyId) ?? keys[0]
    try {
      const url = new URL(address)
      if (!isAllowedTarget(url, privateHosts)) return 'forbidden-address'
      // A host of the settings may be known to the outgoing proxy alone.
      const addressPolicy = privateHosts.includes(url.hostname) ? { ...OWN_NETWORK, proxyResolves: true } : PUBLIC_ONLY
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Parley',
        ...signatureHeaders(webhookSecret(key, webhook), { id, payload, now: now() }),
      }
      const request = { url, method: 'POST', headers, body: payload, signal: this.#stopping.signal }
      const { status, body } = await createEgress({ addressPolicy, limits: LIMITS })(request)
      body.destroy()
      return String(status)
    } catch (error) {
      return error instanceof EgressError ? error.reason : 'unreachable'
    }
  }
}

/** Whether a webhook may have this target: https, or a host that the settings name. */
export function isAllowedTarget({ protocol, hostname, username, password }: URL, privateHosts: readonly string[]): boolean {
  return username === '' && password === '' && (protocol === 'https:' || (protocol === 'http:' && privateHosts.includes(hostname)))
}

function deliveryId(webhook: string, type: string, key: string): string {
  return `msg_${createHash('sha256')
    .update(JSON.stringify([webhook, type, key]))
    .digest('hex')
    .slice(0, 32)}`
}
