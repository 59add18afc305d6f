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
  listNewReports,
} from '../store/staff/webhooks.ts'
import { signatureHeaders, webhookSecret } from './signature.ts'
import type { WebhookEvent } from '../../contract/staff/webhook-events.ts'
import { dayOf } from '../insights/figures/figures.ts'
import { readPublished } from '../insights/figures/publish-figures.ts'
import { readTopics } from '../insights/questions/read-topics.ts'
import { storedReport } from '../knowledge/websites/run-report.ts'
import { readFact } from '../store/engine/installation-facts.ts'
import { listSources } from '../store/knowledge/sources.ts'
import { kindOfReport } from '../store/staff/reports.ts'

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

const DAY_MS = 86_400_000
/** After a day, for answers that began in it. */
const SETTLING_MS = 2 * 3_600_000

/** Something that happened, derived from what is stored. */
interface FoundEvent {
  type: WebhookEvent
  /** Tells it from others of its type; the same whenever and wherever it is found. */
  key: string
  at: number
  data: object
  report?: string
}

/** Reports that visitors have sent since a time, without any text: staff read it in the console. */
async function findReports(database: Database, since: number): Promise<FoundEvent[]> {
  const reports = await listNewReports(database, since)
  return reports.map(({ id, author, scope, thumb, created_at: at }) => ({
    type: 'report.created',
    key: id,
    at,
    data: { id, kind: kindOfReport(author), scope, rating: thumb },
    report: id,
  }))
}

async function findSourceRuns(database: Database, since: number): Promise<FoundEvent[]> {
  const events: FoundEvent[] = []
  for (const { id, ended_at: at, report: stored } of await listSources(database)) {
    const report = storedReport(stored)
    if (!report || at === null || at < since) continue
    const { outcome, reason, pages, counts } = report
    const hasFailed = outcome === 'failed' || outcome === 'crashed'
    if (!hasFailed && outcome !== 'held' && counts.new + counts.changed + counts.gone + counts.held === 0) continue
    const { new: added, changed, gone, held } = counts
    const data = { source: id, outcome, reason, pages, new: added, changed, gone, held }
    events.push({ type: hasFailed ? 'source.failed' : 'source.changed', key: `${id} ${at}`, at, data })
  }
  return events
}

async function findFailedBackup(database: Database, since: number): Promise<FoundEvent[]> {
  const at = Number(await readFact(database, 'last_failed_backup'))
  return at >= since && at > 0 ? [{ type: 'backup.failed', key: String(at), at, data: {} }] : []
}

/** Entries of the console's "Needs attention": budgets once for each threshold, others once a day while they last. */
function findProblems({ attention }: Pick<InstallationStatus, 'attention'>, now: number): FoundEvent[] {
  const day = dayOf(now)
  return attention.map(({ code, text, values }) => {
    if (code !== 'budget-day' && code !== 'budget-month')
      return { type: 'problem.opened', key: [code, values.name, day].join(' '), at: now, data: { code, text } }
    const period = code === 'budget-day' ? 'day' : 'month'
    const percent = Number(values.percent) >= 100 ? 100 : 80
    const key = [period, period === 'day' ? day : day.slice(0, 7), percent].join(' ')
    return { type: 'budget.threshold', key, at: now, data: { period, percent } }
  })
}

/** Figures of the last day, and topics without an answer, as staff read them: nothing of fewer than five visitors. */
async function findDailyFigures(database: Database, now: number): Promise<FoundEvent> {
  const day = dailyKey(now)
  const { days, total, breakdowns } = await readPublished(database, { from: day, to: day }, day)
  const { topics: listed } = await readTopics(database, now)
  const topics = listed.filter((topic) => topic.day === day)
  const states = breakdowns.state.map(({ value, turns }) => ({ state: value, turns }))
  const words = topics.map(({ phrases, words: single, visitors }) => ({ phrases, words: single, visitors }))
  return { type: 'figures.daily', key: day, at: now, data: { day, days, total, states, topics: words } }
}

/** The last day whose figures don't change any more. */
function dailyKey(now: number): string {
  return dayOf(now - DAY_MS - SETTLING_MS)
}
