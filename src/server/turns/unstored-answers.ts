import { type AnswerState, answerStateOf } from '../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import type { ChatChunk } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Agent } from '../answering/agents/agent.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import { reserveBudgetsAlone, type TokenUsage } from '../store/turns/budgets.ts'
import { stopsVersion } from '../store/staff/stops.ts'
import type { Database } from '../store/engine/database.ts'
import { BEFORE_THE_MODEL, firstOutcome } from './before-the-model.ts'
import { newMessageId } from './ids.ts'
import type { ModelBudget } from './model-budget.ts'
import type { LocalEnd } from './started-turn.ts'
import { type ConcernedTurn, Stops } from './stops.ts'
import { unstoredAnswer, type UnstoredEnd, type UnstoredRequest, maskedMessages } from './unstored-answer.ts'

export interface UnstoredAnswersOptions {
  database: Database
  moderator: Pick<Moderator, 'check'> | null
  now: () => number
  onTurnEnd: (ended: LocalEnd) => void
  onFault: (message: string, cause: unknown) => void
}

export interface UnstoredPrompt extends Pick<UnstoredRequest, 'agent' | 'messages' | 'languages' | 'reply' | 'signal'> {
  budgets: readonly ModelBudget[]
  /** Whom figures count as the visitor. */
  owner: string
}

/** An answer that is being written. `chunks` must be read to their end, also after an abort: that settles what it cost. */
export interface UnstoredAnswer {
  kind: 'started'
  chunks: AsyncIterable<ChatChunk>
  /** Resolves after the last chunk. */
  ended: Promise<{ end: LocalEnd['end']; usage: TokenUsage }>
}

interface Running {
  concerns: ConcernedTurn | null
  interrupt: (code: ErrorCode) => void
  left: Promise<void>
  leave: () => void
}

/** Answers clients that keep the chat themselves. Nothing is stored, so an answer ends with its client and can't be followed. */
export class UnstoredAnswers {
  readonly #options: UnstoredAnswersOptions
  readonly #stops: Stops
  readonly #running = new Set<Running>()
  #closing = false

  constructor(options: UnstoredAnswersOptions) {
    this.#options = options
    this.#stops = new Stops({ ...options, suspend: (concerns) => this.#suspend(concerns) })
  }

  /** The fixed reply to a prompt that arrives, or its rejection; `null` if it may be admitted. */
  atArrival(agent: Agent, prompt: string, languages: readonly string[]): Promise<FixedReply | Rejection | null> {
    return this.#stops.atArrival(agent, { prompt, languages })
  }

  /** Moderates the prompt, decides who answers, reserves the cost, and begins. */
  async start({ agent, budgets, reply: given, signal, ...prompt }: UnstoredPrompt): Promise<Rejection | UnstoredAnswer> {
    const { database, moderator } = this.#options
    if (this.#closing) return rejection('shutting_down')
    if (agent.notReady && !given) return { kind: 'rejected', ...agent.notReady }
    const messages = maskedMessages(prompt.messages, agent.personalData)
    const blocked = given ? null : await firstOutcome(BEFORE_THE_MODEL.admission, { texts: messages.map(textOf), moderator })
    if (blocked) return blocked
    const stopping = new AbortController()
    const ended = Promise.withResolvers<Awaited<UnstoredAnswer['ended']>>()
    let interruptedAs: ErrorCode | null = null
    const interrupt = (code: ErrorCode) => {
      interruptedAs ??= code
      stopping.abort()
    }
    const left = Promise.withResolvers<void>()
    const leave = () => {
      this.#running.delete(running)
      left.resolve()
    }
    const running: Running = { concerns: null, interrupt, left: left.promise, leave }
    const asked = { prompt: textOf(messages.at(-1) ?? { parts: [] }), languages: prompt.languages }
    const version = await stopsVersion(database)
    const onDecided = () => {
      running.concerns = { agent: agent.id, prompt: asked.prompt, files: [] }
      this.#running.add(running)
    }
    const { reply, files } = await this.#stops.decide(agent, { ...asked, version, given, onDecided })
    this.#stops.watch(() => this.#running.size > 0)
    try {
      const budget = reply ? FREE : await this.#reserved(budgets)
      if ('kind' in budget) {
        leave()
        return budget
      }
      const request = {
        ...prompt,
        agent,
        messages,
        reply,
        budget,
        excludedFiles: files,
        signal: AbortSignal.any([signal, stopping.signal]),
      }
      const outcome = (end: UnstoredEnd) => {
        if (interruptedAs) return { status: 'interrupted' as const, code: interruptedAs }
        return signal.aborted ? { status: 'stopped' as const, code: null } : end
      }
      return { kind: 'started', chunks: this.#written(request, running, { outcome, ended: ended.resolve }), ended: ended.promise }
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Rejects new prompts, gives running answers `graceMs` to end and interrupts the rest. */
  async drain(graceMs: number): Promise<void> {
    this.#closing = true
    const grace = setTimeout(() => this.#running.forEach(({ interrupt }) => interrupt('shutting_down')), graceMs)
    await Promise.all([...this.#running].map(({ left }) => left))
    clearTimeout(grace)
    this.#stops.close()
  }

  async #suspend(concerns: (turn: ConcernedTurn) => Promise<boolean>): Promise<void> {
    for (const { concerns: turn, interrupt } of this.#running) if (turn && (await concerns(turn))) interrupt('suspended')
  }

  /** The first budget that can be reserved, or the rejection of the last. */
  async #reserved([budget, ...others]: readonly ModelBudget[]): Promise<ModelBudget | Rejection> {
    if (!budget) return FREE
    const closed = await reserveBudgetsAlone(this.#options.database, budget.reservations)
    if (!closed) return budget
    return others.length > 0 ? this.#reserved(others) : rejection(closed.code, { retryAfterS: closed.retryAfterS })
  }

  async *#written(
    request: Omit<UnstoredPrompt, 'budgets'> & { budget: ModelBudget; excludedFiles: readonly string[] },
    running: Running,
    {
      outcome,
      ended,
    }: {
      outcome: (end: UnstoredEnd) => Pick<LocalEnd['end'], 'status' | 'code'> & { retryAfterS?: number }
      ended: (of: Awaited<UnstoredAnswer['ended']>) => void
    },
  ): AsyncGenerator<ChatChunk, void, undefined> {
    const { now, onTurnEnd } = this.#options
    const { agent, budget, owner, messages } = request
    const builder = new MessageBuilder(newMessageId())
    const begunAtMs = performance.now()
    let firstTextMs: number | null = null
    let state: AnswerState | undefined
    let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
    let model = budget.model
    let isFixed = request.reply !== null
    let last: UnstoredEnd = { status: 'failed', code: 'internal' }
    const answer = unstoredAnswer(this.#options, {
      ...request,
      onState: (known) => (state = known),
      onUsage: (used, by) => ([usage, model] = [used, by]),
      onFiles: (files) => running.concerns && (running.concerns.files = files),
      onReplaced: () => (isFixed = true),
    })
    try {
      builder.apply({ type: 'start', messageMetadata: { createdAt: new Date(now()).toISOString(), aiGenerated: true } })
      for (let next = await answer.next(); ; next = await answer.next()) {
        if (next.done) {
          last = next.value
          break
        }
        if (next.value.type === 'text-delta') firstTextMs ??= performance.now() - begunAtMs
        builder.apply(next.value)
        yield next.value
      }
    } finally {
      await answer.return(last)
      running.leave()
      const reached = outcome(last)
      const versions = { ...agent.versions, model: isFixed ? null : agent.modelOf(model).name }
      const end = { ...reached, state: answerStateOf(reached, state), versions, usage, answer: builder.finished() }
      ended({ end, usage })
      onTurnEnd({
        turn: { usage, firstTextMs, elapsedMs: performance.now() - begunAtMs },
        end,
        model,
        agent,
        embed: 'api',
        owner,
        messages,
      })
    }
  }
}

const FREE: ModelBudget = { model: 'primary', reservations: [], allowance: undefined }
