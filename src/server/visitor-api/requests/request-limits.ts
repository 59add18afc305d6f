import type { FastifyRequest, FastifyInstance, FastifyReply } from 'fastify'
import { SolvedChallenge } from '../../../contract/proof-of-work.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { RateLimit, Rejection } from '../../../contract/rejection.ts'
import type { DataReport } from '../../../contract/rights.ts'
import type { EmbedLimit, Guard, Requester } from '../../limits/guard.ts'
import { WINDOWS_MS } from '../../limits/limit-settings.ts'
import type { Network } from '../../limits/network.ts'
import type { Started, TurnRequest } from '../../turns/started-turn.ts'
import { credentialsOf } from './caller.ts'
import { isBrowser, isWrite } from '../../platform/request-checks.ts'
import { ADMISSION_SPAN, ATTRIBUTES } from '../../telemetry/tracing/names.ts'
import { inSpan } from '../../telemetry/tracing/spans.ts'
import { reject, rejectionCodeOf } from '../../platform/problems.ts'

/** Longer than any that is made here. */
const MAX_CHARACTERS = 4_096

/** The work that came with a request, unchecked; undefined where there is none that can be read. */
function solvedChallengeOf({ headers }: FastifyRequest): SolvedChallenge | undefined {
  const header = headers['proof-of-work']
  if (typeof header !== 'string' || header.length > MAX_CHARACTERS) return undefined
  try {
    return SolvedChallenge.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route starts a turn, so limits on prompts apply. */
    takesPrompt?: true
    /** The reply stays open: it counts as a stream and as a poll, not as a read. */
    isStream?: true
  }
}

export const PROMPT_ROUTE = { takesPrompt: true } as const
export const STREAM_ROUTE = { isStream: true } as const

interface PromptOptions {
  continues?: string | undefined
  promptTokens?: number
  isUrgent?: boolean
}

/** An admitted prompt, until its turn has started or failed to start. */
export interface AdmittedPrompt {
  turnLimits: Pick<TurnRequest, 'operation' | 'budgets' | 'count'>
  /** Holds the slots until the answer ends. */
  settle: (starting: Promise<Started | Rejection>) => Promise<Started | Rejection>
}

/** Applies the operator's limits to requests. When a method rejects a request, it has sent the reply. */
export class RequestLimits {
  readonly #guard: Guard
  readonly #now: () => number
  readonly #embedLimitOf: (request: FastifyRequest) => EmbedLimit | undefined

  constructor(guard: Guard, now: () => number, embedLimitOf: (request: FastifyRequest) => EmbedLimit | undefined) {
    this.#guard = guard
    this.#now = now
    this.#embedLimitOf = embedLimitOf
  }

  /** Rejects before a body is read: prompts from networks that are over a limit, and reads, writes and polls over theirs. */
  guardRequests(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (!request.routeOptions.url?.startsWith('/api/')) return done()
      const decide = (rejection: Rejection | undefined) => {
        if (rejection) this.#reject(reply, rejection)
        else done()
      }
      const rejection = this.#rejectionOf(request)
      if (rejection instanceof Promise) rejection.then(decide, done)
      else decide(rejection)
    })
  }

  /**
   * Counts a prompt and waits in the queue; `undefined` if it was rejected or the client disconnected. `continues`: the session or turn
   * to continue, which identifies a caller without a principal. `promptTokens`: size of the input, if known. `isUrgent`: the prompt describes
   * an emergency, which is answered at once and without a model.
   */
  prompt(request: FastifyRequest, reply: FastifyReply, options: PromptOptions): Promise<AdmittedPrompt | undefined> {
    return inSpan(ADMISSION_SPAN, {}, async (span) => {
      const admitted = await this.#prompt(request, reply, options)
      span.set({ [ATTRIBUTES.outcome]: admitted ? 'admitted' : (rejectionCodeOf(request) ?? 'left') })
      return admitted
    })
  }

  async #prompt(
    request: FastifyRequest,
    reply: FastifyReply,
    { continues, promptTokens = 0, isUrgent = false }: PromptOptions,
  ): Promise<AdmittedPrompt | undefined> {
    const sending = { promptTokens, isBrowser: isBrowser(request), solved: solvedChallengeOf(request), embed: this.#embedLimitOf(request) }
    const outcome = isUrgent ? this.#guard.admitUrgentPrompt() : await this.#guard.admitPrompt(requesterOf(request, continues), sending)
    if (outcome.kind === 'rejected') {
      this.#reject(reply, outcome)
      return undefined
    }
    const { budgets, count, enter, giveBack, end } = outcome
    const setUsageHeaders = () => void reply.headers(rateLimitHeaders(count.rateLimits, this.#now()))
    const giveUp = () => giveBack().finally(end)
    const entered = await enter({ gone: () => disconnectSignal(reply) })
    if (entered !== 'entered') {
      await giveUp()
      setUsageHeaders()
      if (entered !== 'left') this.#reject(reply, entered)
      return undefined
    }
    const settle = async (starting: Promise<Started | Rejection>) => {
      let started: Started | Rejection | undefined
      try {
        started = await starting
        return started
      } finally {
        if (started?.kind === 'started') started.turn.ended.then(end, end)
        // A blocked prompt still counts, which limits attempts to get around moderation.
        else if (started?.kind === 'rejected' && started.code === 'prompt_blocked') await count.unstored().finally(end)
        else await giveUp()
        setUsageHeaders()
      }
    }
    return { turnLimits: { operation: request.id, budgets, count: count.stored }, settle }
  }

  /** Counts an uploaded file; `false` if rejected. */
  async file(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const rejection = await this.#guard.admitFile(requesterOf(request))
    if (rejection) this.#reject(reply, rejection)
    return rejection === undefined
  }

  /** Parses a file in a place that networks share; `undefined` if rejected with the code, or if the client left, which aborts `gone`. */
  async parsing<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    code: ErrorCode,
    parse: (gone: AbortSignal) => Promise<T>,
  ): Promise<{ parsed: T } | undefined> {
    const gone = disconnectSignal(reply)
    const place = await this.#guard.openParser(requesterOf(request), () => gone)
    if (place === 'full') this.#reject(reply, { kind: 'rejected', code })
    if (typeof place !== 'function') return undefined
    try {
      return { parsed: await parse(gone) }
    } catch (cause) {
      if (gone.aborted) return undefined
      throw cause
    } finally {
      place()
    }
  }

  /** The network that limits a request; `null` for an exempt client on this machine. */
  limitedNetwork(request: FastifyRequest): Network | null {
    return this.#guard.limitedNetwork(request.ip)
  }

  /** The widest network of the client, or `exempt`. */
  networkName(request: FastifyRequest): string {
    const network = this.limitedNetwork(request)
    return network ? (network.wide ?? network.own) : 'exempt'
  }

  async today(request: FastifyRequest): Promise<DataReport['today']> {
    const { prompts, resetsAt } = await this.#guard.promptsLeftToday(requesterOf(request))
    return { prompts, resetsAt: new Date(resetsAt).toISOString() }
  }

  /** Counts an open stream until the reply closes; `false` if rejected. */
  async stream(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const outcome = await this.#guard.openStream(requesterOf(request))
    if (typeof outcome !== 'function') {
      this.#reject(reply, outcome)
      return false
    }
    if (reply.raw.closed) outcome()
    else reply.raw.once('close', outcome)
    return true
  }

  #rejectionOf(request: FastifyRequest): Promise<Rejection | undefined> | Rejection {
    const { config } = request.routeOptions
    const rejection = config.takesPrompt && this.#guard.rejectAddress(request.ip)
    if (rejection) return rejection
    const { cookies, authorization } = credentialsOf(request)
    const what = config.isStream ? 'poll' : isWrite(request) ? 'write' : 'read'
    return this.#guard.admitFrequent(what, { principal: authorization ?? cookies[0] ?? null, address: request.ip })
  }

  #reject(reply: FastifyReply, rejection: Rejection): FastifyReply {
    return reject(reply.headers(rateLimitHeaders(rejection.rateLimits ?? [], this.#now())), rejection)
  }
}

/** Aborts when the client disconnects, and once the reply is sent. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.closed) controller.abort()
  else reply.raw.once('close', () => controller.abort())
  return controller.signal
}

function requesterOf({ caller, ip }: FastifyRequest, continues?: string): Requester {
  return { principal: caller.access.owner ?? (continues === undefined ? null : `of:${continues}`), address: ip }
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-10: for each policy its quota `q` and window `w`, what remains `r`, and the seconds `t` until it resets. */
function rateLimitHeaders(rateLimits: readonly RateLimit[], now: number): Record<string, string> {
  if (rateLimits.length === 0) return {}
  const policies = rateLimits.map(({ window, limit }) => `"${window}";q=${limit};w=${WINDOWS_MS[window] / 1000}`)
  const states = rateLimits.map(({ window, limit, used, endsAt }) => {
    const left = Math.max(0, limit - used)
    return `"${window}";r=${left};t=${Math.max(0, Math.ceil((endsAt - now) / 1000))}`
  })
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') }
}
