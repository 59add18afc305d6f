import { constant } from '../constant.ts'
import { hash } from 'node:crypto'
import type { ErrorCode } from '../../contract/errors.ts'
import type { SolvedChallenge } from '../../contract/proof-of-work.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import { AddressKeys } from './address-keys.ts'
import type { LimitValues } from './adjustable-limits.ts'
import type { ModelBudgets } from '../store/turns/budgets.ts'
import { type BudgetParts, modelBudgets } from './model-budgets.ts'
import { type Cap, type Frequent, isBusy, type Quota, type Scope, WINDOWS_MS } from './limit-settings.ts'
import { type DerivedLimits, deriveLimits } from './derived-limits.ts'
import { type Network, networkOf } from './network.ts'
import { KeyedSemaphore, type SlotLimit } from '../../async/semaphore.ts'
import { PromptCount } from './prompt-count.ts'
import { type Entrant, type Entry, FairQueue } from './fair-queue.ts'
import type { ProofOfWork } from './proof-of-work.ts'
import { NO_SUBJECTS, type QuotaOutcome, Quotas, type QuotasOptions, rateLimitsOf, type Subjects, type Usage } from './quotas.ts'

export interface GuardOptions extends QuotasOptions {
  /** The limits in force; another object once one changes. */
  values: () => LimitValues
  queue: FairQueue
  prices: BudgetParts['prices']
  /** Null if disabled. `auto` requires work only from browsers on busy networks. */
  proof: { mode: 'auto' | 'always'; of: ProofOfWork } | null
  /** Whether prompts are moderated before they are stored. Moderation costs, so limits are checked first. */
  isModerated: boolean
  /**
   * Whether loopback clients are exempt from network limits. Must be false behind a proxy on this machine: a request without a
   * forwarded address would look like a loopback client.
   */
  exemptsLoopback: boolean
}

/** The principal, or null for a visitor who is being created, and the client's address. */
export interface Requester {
  principal: string | null
  address: string
}

/** Context of a prompt besides its sender. */
export interface Sending {
  promptTokens: number
  isBrowser: boolean
  solved: SolvedChallenge | undefined
  /** The named embed that the prompt comes from, if it has a limit of its own. */
  embed?: EmbedLimit | undefined
}

export interface EmbedLimit {
  name: string
  promptsPerDay: number
}

/** An admitted prompt. It is counted when it is stored. */
export interface Admission {
  kind: 'admitted'
  /** Budgets by agent, in order of preference. The agent is known when the prompt is stored. */
  budgets: ModelBudgets
  count: PromptCount
  /** Waits for a global slot. Call it once. */
  enter: (entrant: Omit<Entrant, 'lane'>) => Promise<'entered' | 'left' | Rejection>
  /** Call it if the prompt was rejected: its solved challenge becomes valid again. */
  giveBack: () => Promise<void>
  /** Call it when the answer has ended. */
  end: () => void
}

/** Files being parsed at a time, in all and of one network, and how long and how many others wait. */
const PARSING = { maxRunning: 2, maxRunningOfLane: 1, maxPending: 64, maxWaitMs: constant('fileWaitMs', 15_000), isSlow: () => false }
/** Limit of networks cached as over a limit, which are rejected before their body is read. */
const MAX_BLOCKED = 10_000
/** Suggested retry delay when all slots are taken. */
const BUSY_RETRY_S = 5
/** Jitter of the retry delay. */
const BUSY_SPREAD_S = 5
const SUBJECT_CHARACTERS = 32
const EVERYBODY = 'all'

/** Enforces the operator's limits per visitor, per network and in total. Stores only hashes of addresses and visitors. */
export class Guard {
  readonly #options: GuardOptions
  readonly #quotas: Quotas
  readonly #addresses: AddressKeys
  readonly #turns = new KeyedSemaphore()
  readonly #streams = new KeyedSemaphore()
  readonly #parsing: FairQueue
  readonly #blockedUntil = new Map<string, { until: number; code: ErrorCode }>()
  /** Quotas and caps of the limits that were in force last. */
  #derived: DerivedLimits

  constructor(options: GuardOptions) {
    this.#options = options
    this.#derived = deriveLimits(options.values().limits)
    this.#quotas = new Quotas(options)
    this.#parsing = new FairQueue({ ...PARSING, now: options.now })
    this.#addresses = new AddressKeys(options.database)
  }

  /** Quotas and caps of the limits in force. */
  #limitsInForce(): DerivedLimits {
    const { limits } = this.#options.values()
    if (this.#derived.of !== limits) {
      this.#derived = deriveLimits(limits)
      // A network may have been rejected under a lower limit.
      this.#blockedUntil.clear()
    }
    return this.#derived
  }

  /** Rejects a prompt from a network that is over a limit, before its body is read. */
  rejectAddress(address: string): Rejection | undefined {
    // Lifts the blocks of limits that have changed.
    this.#limitsInForce()
    const { own, wide } = networkOf(address)
    for (const network of [own, wide]) {
      const blocked = network === null ? undefined : this.#blockedUntil.get(network)
      if (blocked && blocked.until > this.#options.now()) return rejection(blocked.code, { retryAfterS: this.#secondsUntil(blocked.until) })
    }
    const network = this.limitedNetwork(address)
    return network && this.#options.queue.isFullFor(laneOf(network)) ? this.#turnedAway('server_busy') : undefined
  }

  /** Takes the slots of a prompt's visitor and network. The prompt is counted when it is stored. */
  async admitPrompt(requester: Requester, sending: Sending): Promise<Admission | Rejection> {
    const network = this.limitedNetwork(requester.address)
    const subjects = await this.#subjectsOf(requester.principal, network)
    const { proof, isModerated, queue, values, prices, now } = this.#options
    const { promptTokens } = sending
    const { prompts, newVisitors, turnCaps } = this.#limitsInForce()
    const count = new PromptCount({
      quotas: this.#quotas,
      subjects,
      wanted: [...prompts, ...quotasOf(sending.embed), ...(requester.principal === null ? newVisitors : [])],
      reject: (over) => this.#over(over, network),
    })
    // The count at storage enforces the limit; this early check avoids waiting and cost.
    const rejected = proof || isModerated || !queue.hasPlace ? await count.check() : undefined
    if (rejected) return rejected
    const proven = await this.#prove(requester, sending, count.usages)
    if (proven.kind === 'rejected') return proven
    const leave = this.#turns.tryAcquire(slotLimitsOf(subjects, turnCaps))
    if (typeof leave !== 'function') {
      await proven.giveBack()
      return this.#full('too_many_turns')
    }
    const lane = network ? laneOf(network) : `visitor:${subjects.visitor}`
    let leaveQueue: (() => void) | undefined
    return {
      kind: 'admitted',
      budgets: modelBudgets({ budgets: values().budgets, subjects, prices, promptTokens, at: now() }),
      count,
      enter: async (entrant) => {
        const entry = await queue.enter({ ...entrant, lane })
        if (entry.kind === 'entered') leaveQueue = entry.leave
        return this.#entered(entry)
      },
      giveBack: proven.giveBack,
      end: () => {
        leave()
        leaveQueue?.()
      },
    }
  }

  /** Admits a prompt that must be answered whatever the quotas, budgets and the queue say. It costs no model; writes are limited before. */
  admitUrgentPrompt(): Admission {
    const reject = ({ usage }: Extract<QuotaOutcome, { kind: 'over' }>) => rejection(usage.quota.code)
    return {
      kind: 'admitted',
      budgets: [() => ({ model: 'primary', reservations: [], allowance: undefined })],
      count: new PromptCount({ quotas: this.#quotas, subjects: NO_SUBJECTS, wanted: [], reject }),
      enter: async () => 'entered',
      giveBack: async () => undefined,
      end: () => undefined,
    }
  }

  #entered({ kind }: Entry): 'entered' | 'left' | Rejection {
    if (kind === 'entered' || kind === 'left') return kind
    return this.#turnedAway(kind === 'closed' ? 'shutting_down' : 'server_busy')
  }

  /** Counts a file. Without a principal, it also creates a visitor. */
  async admitFile({ principal, address }: Requester): Promise<Rejection | undefined> {
    const { files, newVisitors } = this.#limitsInForce()
    const network = this.limitedNetwork(address)
    const quotas = principal === null ? [...files, ...newVisitors] : files
    const outcome = await this.#quotas.use(quotas, await this.#subjectsOf(principal, network))
    return outcome.kind === 'over' ? this.#over(outcome, network) : undefined
  }

  /** Waits for a place to parse a file, shared by network. Returns the function that releases it, or that there is none or the client left. */
  async openParser({ principal, address }: Requester, gone: () => AbortSignal): Promise<(() => void) | 'full' | 'left'> {
    const network = this.limitedNetwork(address)
    const lane = network ? laneOf(network) : `visitor:${principal}`
    const entry = await this.#parsing.enter({ lane, gone })
    if (entry.kind === 'entered') return entry.leave
    return entry.kind === 'left' ? 'left' : 'full'
  }

  /** Checks the solved challenge where one is required. */
  async #prove(
    requester: Requester,
    { isBrowser, solved }: Sending,
    usages: readonly Usage[],
  ): Promise<Rejection | { kind: 'proven'; giveBack: () => Promise<void> }> {
    const { proof } = this.#options
    const isAsked = proof?.mode === 'always' || (proof?.mode === 'auto' && isBrowser && isBusy(usages))
    if (!proof || !isAsked) return { kind: 'proven', giveBack: async () => undefined }
    const addressKey = await this.#addressKeyOf(requester.address)
    const giveBack = solved && (await proof.of.accept(solved, addressKey))
    if (giveBack) return { kind: 'proven', giveBack }
    // Creating a challenge costs the server something, so it counts as a read.
    const rejected = await this.admitFrequent('read', requester)
    if (rejected) return rejected
    const challenge = await proof.of.challenge(addressKey)
    return rejection('proof_of_work_required', { challenge })
  }

  #addressKeyOf(address: string): Promise<string> {
    return this.#addresses.keyOf(networkOf(address).own, this.#options.now())
  }

  /** Counts a request in this process only. */
  async admitFrequent(what: Frequent, requester: Requester): Promise<Rejection | undefined> {
    const network = this.limitedNetwork(requester.address)
    const outcome = this.#quotas.useLightly(this.#limitsInForce().frequent[what], await this.#subjectsOf(requester.principal, network))
    return outcome.kind === 'over' ? this.#over(outcome, network) : undefined
  }

  get openStreams(): number {
    return this.#streams.count(keyOf('server', EVERYBODY))
  }

  /** Takes the slot of a stream; returns a function that releases it. */
  async openStream(requester: Requester): Promise<(() => void) | Rejection> {
    const subjects = await this.#subjectsOf(requester.principal, this.limitedNetwork(requester.address))
    const close = this.#streams.tryAcquire(slotLimitsOf(subjects, this.#limitsInForce().streamCaps))
    return typeof close === 'function' ? close : this.#full('too_many_streams')
  }

  /** The visitor's remaining prompts today, without regard to their network, and when the quota resets. */
  async promptsLeftToday(requester: Requester): Promise<{ prompts: number; resetsAt: number }> {
    const { values, now } = this.#options
    const subjects = await this.#subjectsOf(requester.principal, this.limitedNetwork(requester.address))
    const usages = await this.#quotas.readUsage(this.#limitsInForce().promptsToday, subjects)
    const prompts = Math.min(values().limits.promptsPerDay, ...usages.map(({ quota, used }) => Math.max(0, quota.limit - used)))
    return { prompts, resetsAt: (Math.floor(now() / WINDOWS_MS.day) + 1) * WINDOWS_MS.day }
  }

  /** The network of an address for limits; null for exempt loopback clients. */
  limitedNetwork(address: string): Network | null {
    const network = networkOf(address)
    return network.isLoopback && this.#options.exemptsLoopback ? null : network
  }

  async #subjectsOf(principal: string | null, network: Network | null): Promise<Subjects> {
    const now = this.#options.now()
    const visitor = principal === null ? null : hashOf(principal)
    if (network === null) return { visitor, network: null, wide: null }
    const wide = network.wide === null ? null : await this.#addresses.keyOf(network.wide, now)
    return { visitor, network: await this.#addresses.keyOf(network.own, now), wide }
  }

  #over({ usage, usages }: Extract<QuotaOutcome, { kind: 'over' }>, network: Network | null): Rejection {
    this.#remember(usage, network)
    return rejection(usage.quota.code, { retryAfterS: this.#secondsUntil(usage.endsAt), rateLimits: rateLimitsOf(usages) })
  }

  #full(code: ErrorCode): Rejection {
    return rejection(code, { retryAfterS: BUSY_RETRY_S })
  }

  #turnedAway(code: ErrorCode): Rejection {
    return rejection(code, { retryAfterS: BUSY_RETRY_S + Math.floor(Math.random() * (BUSY_SPREAD_S + 1)) })
  }

  #secondsUntil(time: number): number {
    return Math.max(1, Math.ceil((time - this.#options.now()) / 1000))
  }

  #remember({ quota, endsAt }: Usage, network: Network | null): void {
    const name =
      quota.what === 'prompt' && network ? { network: network.own, wide: network.wide }[quota.of as 'network' | 'wide'] : undefined
    if (!name) return
    if (this.#blockedUntil.size >= MAX_BLOCKED) this.#blockedUntil.clear()
    this.#blockedUntil.set(name, { until: endsAt, code: quota.code })
  }
}

function quotasOf(embed: EmbedLimit | undefined): Quota[] {
  if (!embed) return []
  return [{ what: 'prompt', of: 'server', embed: embed.name, window: 'day', limit: embed.promptsPerDay, code: 'embed_prompts_used' }]
}

/** Counts outlive a visitor's deletion, so they are keyed by a hash. */
function hashOf(principal: string): string {
  return hash('sha256', principal, 'hex').slice(0, SUBJECT_CHARACTERS)
}

/** The queue lane of a subscriber, whichever of their addresses they use. */
const laneOf = ({ own, wide }: Network): string => wide ?? own

/** The slots that a request takes; none in a scope without a limit. */
function slotLimitsOf(subjects: Subjects, caps: readonly Cap[]): SlotLimit[] {
  return caps.flatMap(({ of, limit }) => {
    const subject = of === 'server' ? EVERYBODY : subjects[of]
    return subject === null ? [] : [{ key: keyOf(of, subject), limit }]
  })
}

const keyOf = (of: Scope, subject: string): string => `${of}:${subject}`
