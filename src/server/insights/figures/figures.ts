import { createHmac, randomBytes } from 'node:crypto'
import { sourcesOf, usesSource } from '../../../contract/chat/citation.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatMessage, Feedback } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import { languageOf } from '../../language.ts'
import type { Database } from '../../store/engine/database.ts'
import {
  addFigures,
  closeDay,
  COUNT_NAMES,
  type DailyFigure,
  type DailyVisitor,
  deleteFiguresBefore,
  networksOfDay,
  NO_COUNTS,
  OPEN_SLOTS,
  openDaysBefore,
  type OpenSlot,
} from '../../store/staff/figures.ts'
import { constant } from '../../constant.ts'
import { buildTopics, TOPIC_DAYS } from '../questions/build-topics.ts'
import type { FigureCounts, FigureDimension } from '../../store/engine/schema/figures-schema.ts'
import { saltOfDay } from '../../store/turns/quotas.ts'

const WRITE_INTERVAL_MS = 5_000
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Time after the end of a day in which processes may still write what they have counted on it. */
const LATE_WRITES_MS = constant('lateWritesMs', HOUR_MS)
const DAYS_KEPT = 1_100
/** Rows and visitors that wait to be written; more are written at once, and the rest is dropped while the database is away. */
const WRITTEN_AT_ONCE = 5_000
const MAX_PENDING = 50_000
const MAX_FILES = 20
/** Upper bounds of the counted times, in milliseconds; longer ones are counted under `more`. */
export const TIME_BOUNDS_MS = [50, 100, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000]
export const LONGER = 'more'

/** A turn that has ended, as the figures count it. */
export interface CountedTurn {
  state: AnswerState
  agent: string
  /** The origin of the site that embeds the page, `page`, `api` or `other`. */
  embed: string
  /** `null` for a fixed reply. */
  model: string | null
  inputTokens: number
  outputTokens: number
  /** In the operator's currency. */
  cost: number
  /** `null` without any text. */
  firstTextMs: number | null
  wholeMs: number
  /** Whose chat it is; hashed before it is stored. */
  owner: string
  /** The chat up to the prompt; empty if it wasn't read. */
  messages: readonly ChatMessage[]
  answer: ChatMessage
}

/** A visitor's changed feedback on an answer. */
export interface ChangedFeedback {
  /** Who rates; hashed before it is stored. */
  owner: string
  before: Feedback['thumb'] | null
  after: Feedback['thumb'] | null
  agent: string
  /** Where the feedback comes from; the cookies of a site that embeds the page show no answers of others. */
  embed: string
  state: AnswerState
  /** `null` for a fixed reply. */
  model: string | null
  prompt: ChatMessage['parts']
  files: readonly string[]
}

interface Dimensions extends Pick<CountedTurn, 'agent' | 'embed' | 'model' | 'state'> {
  language: string
  files: readonly string[]
}

export interface FiguresOptions {
  database: Database
  retentionMs: number
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/**
 * Adds ended turns, feedback and rejections to sums of an open slot, without any text or id, which are published on a day once enough
 * visitors are in the slot. Sums are written every five seconds: a killed process loses those of its last seconds.
 */
export class Figures {
  readonly #options: FiguresOptions
  #pending = new Map<string, DailyFigure>()
  #owners = new Map<string, Omit<DailyVisitor, 'hash'>>()
  #tidiedAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(options: FiguresOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#writeNow(), WRITE_INTERVAL_MS).unref()
  }

  /** A visitor prompts or rates, from a network that is stored as a hash until the day is over. */
  visitorSeen(owner: string, network: string): void {
    this.#see(owner, null, network)
  }

  turnEnded(turn: CountedTurn): void {
    const { state, agent, embed, model, inputTokens, outputTokens, cost, firstTextMs, wholeMs, owner, messages, answer } = turn
    const isComplete = state === 'answered' || state === 'referred'
    const counts: Partial<FigureCounts> = {
      turns: 1,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost,
      complete: Number(isComplete),
      not_covered: Number(state === 'not_covered'),
    }
    const language = promptLanguage(messages.findLast(isPrompt))
    this.#addAnswer('turns', counts, { agent, embed, language, model, state, files: filesOf(answer) })
    if (firstTextMs !== null) this.#add('turns', 'first_text', boundOf(firstTextMs), { turns: 1 })
    this.#add('turns', 'whole_answer', boundOf(wholeMs), { turns: 1 })
    this.#see(owner, 'turns')
    if (this.#pending.size + this.#owners.size >= WRITTEN_AT_ONCE) this.#writeNow()
  }

  /** A turn of a process that has died. */
  turnAbandoned({ owner, agent }: { owner: string; agent: string }): void {
    const unknown = { embed: 'unknown', language: 'unknown', model: null, files: [] }
    this.#addAnswer('turns', { turns: 1 }, { agent, state: 'interrupted', ...unknown })
    this.#see(owner, 'turns')
  }

  feedbackChanged(changed: ChangedFeedback): void {
    const { owner, before, after, state, prompt, files } = changed
    if (before === after) return
    const change = (thumb: Feedback['thumb']) => Number(after === thumb) - Number(before === thumb)
    const down = change('down')
    const isComplete = state === 'answered' || state === 'referred'
    const counts = { up: change('up'), down, lost: isComplete ? down : 0 }
    this.#see(owner, 'ratings')
    this.#addAnswer('ratings', counts, { ...changed, language: promptLanguage({ parts: prompt }), files: files.slice(0, MAX_FILES) })
  }

  /** A prompt that was turned away. */
  rejected(code: ErrorCode): void {
    this.#add('turns', 'refusal', code, { turns: 1 })
  }

  /** Writes what is counted. Never rejects: what can't be written is written later. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  #writeNow(): void {
    this.write().catch((cause: unknown) => this.#options.onFault('Writing the daily figures failed', cause))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
  }

  /** Adds what is counted of an answer to the sums of each of its dimensions. */
  #addAnswer(slot: OpenSlot, counts: Partial<FigureCounts>, { agent, embed, language, model, state, files }: Dimensions): void {
    this.#add(slot, 'all', '', counts)
    this.#add(slot, 'agent', agent, counts)
    this.#add(slot, 'embed', embed, counts)
    this.#add(slot, 'language', language, counts)
    this.#add(slot, 'model', model ?? 'none', counts)
    this.#add(slot, 'state', state, counts)
    for (const file of files) this.#add(slot, 'file', file, counts)
  }

  #add(slot: OpenSlot, dimension: FigureDimension, value: string, counts: Partial<FigureCounts>): void {
    this.#addTo(OPEN_SLOTS[slot].day, dimension, value, counts)
  }

  #addTo(day: string, dimension: FigureDimension, value: string, counts: Partial<FigureCounts>): void {
    const key = `${dimension} ${day} ${value}`
    const known = this.#pending.get(key)
    if (!known && this.#pending.size >= MAX_PENDING) return
    const sum = known ?? { ...NO_COUNTS, dimension, day, value }
    for (const name of COUNT_NAMES) sum[name] += counts[name] ?? 0
    if (!known) this.#pending.set(key, sum)
  }

  #see(owner: string, slot: OpenSlot | null, network: string | null = null, slots = slot ? OPEN_SLOTS[slot].bit : 0): void {
    const known = this.#owners.get(owner)
    if (known || this.#owners.size < MAX_PENDING)
      this.#owners.set(owner, { network: known?.network ?? network, slots: (known?.slots ?? 0) | slots })
  }

  async #write(): Promise<void> {
    const { database, now, onFault } = this.#options
    const [figures, owners] = [[...this.#pending.values()], [...this.#owners]]
    this.#pending = new Map()
    this.#owners = new Map()
    try {
      if (figures.length > 0 || owners.length > 0) {
        const hashOf = await dailyHashes(database, now())
        const seen = owners.map(([owner, { network, slots }]) => ({
          hash: hashOf(`figures ${owner}`),
          network: network && hashOf(`network ${network}`),
          slots,
        }))
        await addFigures(database, { figures, visitors: { day: this.#today(), seen } })
      }
    } catch (cause) {
      onFault('Writing the daily figures failed; retrying', cause)
      for (const { day, dimension, value, ...counts } of figures) this.#addTo(day, dimension, value, counts)
      for (const [owner, { network, slots }] of owners) this.#see(owner, null, network, slots)
    }
    await this.#tidy().catch((cause: unknown) => onFault('Closing past days of the figures failed; retrying', cause))
  }

  /** Once an hour: builds the topics of past days, whose late writes have arrived by then, counts their visitors, and deletes old figures. */
  async #tidy(): Promise<void> {
    const { database, retentionMs, now } = this.#options
    if (now() - this.#tidiedAt < HOUR_MS) return
    for (const day of await openDaysBefore(database, dayOf(now() - LATE_WRITES_MS))) {
      const hashOf = await dailyHashes(database, Date.parse(day))
      const networks = await networksOfDay(database, day)
      const networkOf = (owner: string) => networks.get(hashOf(`figures ${owner}`)) ?? null
      await closeDay(
        database,
        day,
        await buildTopics(database, { day, networks: [...networks.values()], networkOf, retentionMs, now: now() }),
      )
    }
    await deleteFiguresBefore(database, dayOf(now() - DAYS_KEPT * DAY_MS), dayOf(now() - TOPIC_DAYS * DAY_MS))
    this.#tidiedAt = now()
  }

  #today(): string {
    return dayOf(this.#options.now())
  }
}

/** Hashes visitors and networks for the day of a time. */
async function dailyHashes(database: Database, time: number): Promise<(name: string) => string> {
  const salt = await saltOfDay(database, Math.floor(time / DAY_MS), randomBytes(16).toString('base64url'))
  return (name) => createHmac('sha256', salt).update(name).digest('base64url').slice(0, 16)
}

/** ISO date, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The knowledge files that an answer cites, without those that were only searched. */
export function filesOf(answer: Pick<ChatMessage, 'parts'>): string[] {
  const sources = sourcesOf(answer.parts)
  const used = sources.filter(usesSource(textOf(answer), sources))
  const files = used.flatMap((part) => ('filename' in part ? (part.filename ?? []) : []))
  return [...new Set(files)].slice(0, MAX_FILES)
}

const isPrompt = ({ role }: ChatMessage) => role === 'user'

const promptLanguage = (prompt: Pick<ChatMessage, 'parts'> | undefined) => (prompt && languageOf(textOf(prompt))) ?? 'unknown'

const boundOf = (ms: number) => String(TIME_BOUNDS_MS.find((bound) => ms <= bound) ?? LONGER)
