import type { FastifyBaseLogger } from 'fastify'
import type { Feedback } from '../../contract/message.ts'
import { PubSub } from '../pubsub/pubsub.ts'
import type { Settings } from '../config/config.ts'
import type { GuardOptions } from '../limits/guard.ts'
import type { FairQueueOptions } from '../limits/fair-queue.ts'
import { Quotas, type QuotasOptions } from '../limits/quotas.ts'
import type { Levels } from '../metrics/metrics.ts'
import type { TurnsOptions } from '../turns/turns.ts'
import type { SignIn, SignInOptions } from '../visitors/sign-in/sign-in.ts'

/** Prices are for a million tokens. */
const TOKENS_OF_A_PRICE = 1_000_000

/** Redis's client is loaded only when there is a Redis. */
export async function createPubSub(redisUrl: string | null, log: FastifyBaseLogger): Promise<PubSub> {
  if (!redisUrl) return new PubSub()
  const { redisTransport } = await import('../pubsub/redis-transport.ts')
  const onAway = (cause: unknown) => log.warn({ err: cause }, 'Redis is away: processes hear of each other through the database')
  return new PubSub(
    redisTransport({ url: redisUrl, onAway, onThere: () => log.info('Redis is there: processes hear each other through it') }),
  )
}

/** Prometheus's client is loaded only when somebody may ask. */
export async function createMetrics({ metricsToken: token, prices, fallback }: Settings, levels: () => Levels) {
  if (token === null) return null
  const { Metrics } = await import('../metrics/metrics.ts')
  const metrics = new Metrics(levels)
  const turnEnded: TurnsOptions['onTurnEnd'] = ({ usage, firstTextMs }, { status }, model, { modelName }) => {
    const { input = 0, output = 0 } = (model === 'fallback' ? fallback?.price : prices.of(modelName)) ?? {}
    const cost = (usage.inputTokens * input + usage.outputTokens * output) / TOKENS_OF_A_PRICE
    metrics.turnEnded({ status, ...usage, cost, firstTextMs })
  }
  const waited: FairQueueOptions['onWaited'] = (end, waitedMs) => metrics.waited(end, waitedMs)
  return { metrics, token, turnEnded, waited, feedbackGiven: (thumb: Feedback['thumb']) => metrics.feedbackGiven(thumb) }
}

/** Loaded only where work is asked for. */
export async function createProofOfWork(
  mode: Settings['proofOfWork'],
  key: string,
  options: QuotasOptions,
): Promise<GuardOptions['proof']> {
  if (mode === 'off') return null
  const { ProofOfWork } = await import('../limits/proof-of-work.ts')
  return { mode, of: new ProofOfWork({ installationKey: key, quotas: new Quotas(options), now: options.now }) }
}

/** Loaded only where visitors may sign in. */
export async function createSignIn(options: Omit<SignInOptions, 'settings'> & { settings: Settings['signIn'] }): Promise<SignIn | null> {
  const { settings } = options
  if (!settings) return null
  const { SignIn } = await import('../visitors/sign-in/sign-in.ts')
  return new SignIn({ ...options, settings })
}
