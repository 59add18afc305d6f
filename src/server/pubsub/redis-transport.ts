import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import { z } from 'zod'
import { type PubSubTransport, type OpenTransport, PendingTopics } from './pubsub.ts'

const CHANNEL = 'parley:pubsub'
/** Heartbeat interval: Redis is reliable while a process receives its own messages. */
const BEAT_INTERVAL_MS = 2_000
/** Topics published within it share a message: each one wakes every process. A first message doesn't wait. */
const BATCH_INTERVAL_MS = 10
const TRUSTED_FOR_MS = 5_000
/** An idle connection is reopened after this time. */
const RENEW_AFTER_MS = 10_000
const CONNECT_TIMEOUT_MS = 2_000
const COMMAND_TIMEOUT_MS = 2_000
const LONGEST_RETRY_DELAY_MS = 2_000

const MAX_TOPICS = 1_000
const MAX_TOPIC_CHARACTERS = 128
/** Messages from other processes. Untrusted, since anyone with access to Redis can publish. */
const Topics = z.array(z.string().max(MAX_TOPIC_CHARACTERS)).max(MAX_TOPICS + 1)

export interface RedisTransportOptions {
  /** Address, or sentinels and the name of their master, as Redis's client takes them. */
  at: string | Pick<RedisOptions, 'sentinels' | 'name' | 'username' | 'password' | 'tls' | 'sentinelTLS'>
  /** Called once when Redis becomes unavailable, with the last error, and once when it is back. */
  onUnavailable: (cause: unknown) => void
  onAvailable: () => void
}

/** A transport over Redis pub/sub. If Redis is unavailable or slow, the pubsub is only unreliable. */
export function redisTransport(options: RedisTransportOptions): OpenTransport {
  return (hear) => new RedisTransport(options, hear)
}

class RedisTransport implements PubSubTransport {
  /** Unknown until Redis has replied or failed. */
  #state: 'unknown' | 'trusted' | 'away' | 'closed' = 'unknown'
  readonly #options: RedisTransportOptions
  readonly #hear: Parameters<OpenTransport>[0]
  readonly #publisher: Redis
  readonly #subscriber: Redis
  /** Begins each message, so that a process knows its own. */
  readonly #origin = randomUUID()
  readonly #pending = new PendingTopics(MAX_TOPICS)
  readonly #beating: ReturnType<typeof setInterval>
  #isSending = false
  #heardAtMs = performance.now()
  #renewedAtMs = performance.now()
  #lastFault: unknown

  constructor(options: RedisTransportOptions, hear: Parameters<OpenTransport>[0]) {
    this.#options = options
    this.#hear = hear
    this.#publisher = this.#connection()
    this.#subscriber = this.#connection()
    this.#subscriber.on('message', (_channel, message) => this.#read(message))
    this.#subscriber.on('ready', () => this.#subscribe())
    this.#publisher.on('ready', () => this.#beat())
    this.#beating = setInterval(() => this.#beat(), BEAT_INTERVAL_MS)
    this.#beating.unref()
  }

  get isReliable(): boolean {
    return this.#state === 'trusted'
  }

  send(topics: Iterable<string>): void {
    // Subscribers poll while Redis is unavailable.
    if (this.#publisher.status !== 'ready') return
    this.#pending.add(topics)
    if (!this.#isSending) this.#publish().catch((error: unknown) => this.#fault(error))
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearInterval(this.#beating)
    this.#publisher.disconnect()
    this.#subscriber.disconnect()
  }

  #connection(): Redis {
    const { at } = this.#options
    const options = {
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      // Commands fail at once while Redis is unavailable.
      enableOfflineQueue: false,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      disableClientInfo: true,
      retryStrategy: (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 10), LONGEST_RETRY_DELAY_MS),
    } satisfies RedisOptions
    const redis = typeof at === 'string' ? new Redis(at, options) : new Redis({ ...at, ...options })
    redis.on('error', (error) => this.#fault(error))
    redis.on('close', () => this.#judge('away'))
    return redis
  }

  #subscribe(): void {
    this.#subscriber.subscribe(CHANNEL).then(
      () => this.#beat(),
      (error: unknown) => this.#fault(error),
    )
  }

  /** Sends one message at a time; later topics are batched into the next. */
  async #publish(): Promise<void> {
    this.#isSending = true
    try {
      while (!this.#pending.isEmpty && this.#state !== 'closed') {
        const interval = pause(BATCH_INTERVAL_MS, undefined, { ref: false })
        await this.#sendMessage(this.#pending.take())
        await interval
      }
    } finally {
      this.#isSending = false
    }
  }

  #beat(): void {
    const now = performance.now()
    if (now - this.#heardAtMs > TRUSTED_FOR_MS) this.#judge('away')
    if (now - Math.max(this.#heardAtMs, this.#renewedAtMs) > RENEW_AFTER_MS) this.#renew(now)
    if (this.#publisher.status === 'ready') this.#sendMessage([]).catch((error: unknown) => this.#fault(error))
  }

  async #sendMessage(topics: string[]): Promise<void> {
    await this.#publisher.publish(CHANNEL, `${this.#origin} ${JSON.stringify(topics)}`)
  }

  #renew(now: number): void {
    this.#renewedAtMs = now
    for (const redis of [this.#publisher, this.#subscriber]) if (redis.status === 'ready') redis.disconnect(true)
  }

  #read(message: string): void {
    const end = message.indexOf(' ')
    if (message.slice(0, end) === this.#origin) {
      // Its own subscribers know already.
      this.#heardAtMs = performance.now()
      this.#judge('trusted')
      return
    }
    const topics = topicsOf(message.slice(end + 1))
    if (topics) this.#hear.topics(topics)
  }

  #judge(state: 'trusted' | 'away'): void {
    if (this.#state === state || this.#state === 'closed') return
    this.#state = state
    if (state === 'trusted') this.#options.onAvailable()
    else this.#options.onUnavailable(this.#lastFault)
    this.#hear.trustChanged()
  }

  #fault(error: unknown): void {
    this.#lastFault = error
  }
}

function topicsOf(message: string): string[] | undefined {
  try {
    return Topics.safeParse(JSON.parse(message)).data
  } catch {
    return undefined
  }
}
