import { createHmac, randomBytes } from 'node:crypto'
import { sourcesOf, usesSource } from '../../../contract/chat/citation.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatMessage, Feedback } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import type { ExpiredKind, RightUsed } from '../../../contract/staff/privacy.ts'
import { languageOf } from '../../language.ts'
import type { Database } from '../../store/engine/database.ts'
import { addFigures, closeDaysBefore, COUNT_NAMES, type DailyFigure, deleteFiguresBefore, NO_COUNTS } from '../../store/staff/figures.ts'
import type { FigureCounts, FigureDimension } from '../../store/engine/schema/figures-schema.ts'
import { saltOfDay } from '../../store/turns/quotas.ts'

const WRITE_INTERVAL_MS = 5_000
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
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
  /** Hash of the agent's file; `null` if no agent was chosen. */
  agentHash: string | null
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
  /** Whether the prompt asks again what the one before asked. */
  rephrases: boolean
  /** The chat up to the prompt; empty if it wasn't read. */
  messages: readonly ChatMessage[]
  answer: ChatMessage
}

/** A visitor's changed feedback on an answer. */
export interface ChangedFeedback {
  before: Feedback['thumb'] | null
  after: Feedback['thumb'] | null
  agent: string
  agentHash: string | null
  /** Where the feedback comes from; the cookies of a site that embeds the page show no answers of others. */
  embed: string
  state: AnswerState
  /** `null` for a fixed reply. */
  model: string | null
  prompt: ChatMessage['parts']
  /** When the answer was given, in milliseconds since the epoch. */
  answeredAt: number
  files: readonly string[]
}

export interface FiguresOptions {
  database: Database
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/**
 * Adds ended turns, feedback and rejections to sums of the day, without any text or id. Sums are written every five seconds: a killed process
 * loses those of its last seconds.
 */
export class Figures {
  readonly #options: FiguresOptions
  #pending = new Map<string, DailyFigure>()
  #owners = new Set<string>()
  #tidiedAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(options: FiguresOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#writeNow(), WRITE_INTERVAL_MS).unref()
  }

  turnEnded(turn: CountedTurn): void {
    const day = this.#today()
    const { state, agent, agentHash, embed, model, inputTokens, outputTokens, cost, firstTextMs, wholeMs, owner, messages, answer } = turn
    const isComplete = state === 'answered' || state === 'referred'
    const counts: Partial<FigureCounts> = {
      turns: 1,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cost,
      complete: Number(isComplete),
      not_covered: Number(state === 'not_covered'),
    }
    this.#add(day, 'all', '', counts)
    this.#add(day, 'agent', agent, counts)
    this.#add(day, 'version', versionOf(agent, agentHash), counts)
    this.#add(day, 'embed', embed, counts)
    this.#add(day, 'language', promptLanguage(messages.findLast(isPrompt)), counts)
    this.#add(day, 'model', model ?? 'none', counts)
    this.#add(day, 'state', state, counts)
    for (const file of filesOf(answer)) this.#add(day, 'file', file, counts)
    if (firstTextMs !== null) this.#add(day, 'first_text', boundOf(firstTextMs), { turns: 1 })
    this.#add(day, 'whole_answer', boundOf(wholeMs), { turns: 1 })
    if (this.#owners.size < MAX_PENDING) this.#owners.add(owner)
    if (turn.rephrases) this.#countRephrased(turn)
    if (this.#pending.size + this.#owners.size >= WRITTEN_AT_ONCE) this.#writeNow()
  }

  /** A turn of a process that has died. */
  turnAbandoned({ owner, agent }: { owner: string; agent: string }): void {
    const day = this.#today()
    const unknown = { embed: 'unknown', language: 'unknown', model: 'none', state: 'interrupted' } as const
    const values = { all: '', agent, version: versionOf(agent, null), ...unknown }
    for (const [dimension, value] of Object.entries(values)) this.#add(day, dimension as FigureDimension, value, { turns: 1 })
    if (this.#owners.size < MAX_PENDING) this.#owners.add(owner)
  }

  feedbackChanged(changed: ChangedFeedback): void {
    const { before, after, agent, agentHash, embed, state, model, prompt, answeredAt, files } = changed
    if (before === after) return
    const change = (thumb: Feedback['thumb']) => Number(after === thumb) - Number(before === thumb)
    const down = change('down')
    const isComplete = state === 'answered' || state === 'referred'
    const counts = { up: change('up'), down, lost: isComplete ? down : 0 }
    const day = dayOf(answeredAt)
    this.#add(day, 'all', '', counts)
    this.#add(day, 'agent', agent, counts)
    this.#add(day, 'version', versionOf(agent, agentHash), counts)
    this.#add(day, 'embed', embed, counts)
    this.#add(day, 'language', promptLanguage({ parts: prompt }), counts)
    this.#add(day, 'model', model ?? 'none', counts)
    this.#add(day, 'state', state, counts)
    for (const file of files.slice(0, MAX_FILES)) this.#add(day, 'file', file, counts)
  }

  /** A prompt that was turned away. */
  rejected(code: ErrorCode): void {
    this.#add(this.#today(), 'refusal', code, { turns: 1 })
  }

  /** A visitor has deleted, exported or withdrawn something. */
  rightUsed(right: RightUsed): void {
    this.#add(this.#today(), 'right', right, { turns: 1 })
  }

  /** Something was deleted because its time was over. */
  expired(kind: ExpiredKind, count: number): void {
    if (count > 0) this.#add(this.#today(), 'expired', kind, { turns: count })
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

  /** Counts the answer before as rephrased, on its day. The same version and model are taken to have given it. */
  #countRephrased({ messages, agent, agentHash, embed, model }: CountedTurn): void {
    const at = messages.findLastIndex(({ role }) => role === 'assistant')
    const before = messages[at]
    if (!before) return
    const isComplete = before.metadata?.state === 'answered' || before.metadata?.state === 'referred'
    const counts = { rephrased: 1, lost: Number(isComplete) }
    const day = dayOf(Date.parse(before.metadata?.createdAt ?? '') || this.#options.now())
    this.#add(day, 'all', '', counts)
    this.#add(day, 'agent', agent, counts)
    this.#add(day, 'version', versionOf(agent, agentHash), counts)
    this.#add(day, 'embed', embed, counts)
    this.#add(day, 'language', promptLanguage(messages.slice(0, at).findLast(isPrompt)), counts)
    this.#add(day, 'model', (before.metadata?.fixedReply ? null : model) ?? 'none', counts)
    for (const file of filesOf(before)) this.#add(day, 'file', file, counts)
  }

  #add(day: string, dimension: FigureDimension, value: string, counts: Partial<FigureCounts>): void {
    const key = `${dimension} ${day} ${value}`
    const known = this.#pending.get(key)
    if (!known && this.#pending.size >= MAX_PENDING) return
    const sum = known ?? { ...NO_COUNTS, dimension, day, value }
    for (const name of COUNT_NAMES) sum[name] += counts[name] ?? 0
    if (!known) this.#pending.set(key, sum)
  }

  async #write(): Promise<void> {
    const { database, now, onFault } = this.#options
    const [figures, owners] = [[...this.#pending.values()], [...this.#owners]]
    if (figures.length === 0) return
    this.#pending = new Map()
    this.#owners = new Set()
    try {
      const salt = await saltOfDay(database, Math.floor(now() / DAY_MS), randomBytes(16).toString('base64url'))
      const hashes = owners.map((owner) => createHmac('sha256', salt).update(`figures ${owner}`).digest('base64url').slice(0, 16))
      await addFigures(database, { figures, visitors: { day: this.#today(), hashes } })
    } catch (cause) {
      onFault('Writing the daily figures failed; retrying', cause)
      for (const { day, dimension, value, ...counts } of figures) this.#add(day, dimension, value, counts)
      for (const owner of owners) this.#owners.add(owner)
    }
    await this.#tidy().catch((cause: unknown) => onFault('Closing past days of the figures failed; retrying', cause))
  }

  /** Once an hour: counts the visitors of past days, whose late writes have arrived by then, and deletes old figures. */
  async #tidy(): Promise<void> {
    const { database, now } = this.#options
    if (now() - this.#tidiedAt < HOUR_MS) return
    await closeDaysBefore(database, dayOf(now() - HOUR_MS))
    await deleteFiguresBefore(database, dayOf(now() - DAYS_KEPT * DAY_MS))
    this.#tidiedAt = now()
  }

  #today(): string {
    return dayOf(this.#options.now())
  }
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

const versionOf = (agent: string, hash: string | null) => `${agent} ${hash?.slice(0, 8) ?? 'unknown'}`

const boundOf = (ms: number) => String(TIME_BOUNDS_MS.find((bound) => ms <= bound) ?? LONGER)
