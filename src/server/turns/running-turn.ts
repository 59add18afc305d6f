import { setTimeout as pause } from 'node:timers/promises'
import type { PageContext } from '../../contract/chat/page-context.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { sourcesOf } from '../../contract/chat/citation.ts'
import type { ChatChunk, ChatMessage, ChatMessagePart, MessageMetadata } from '../../contract/chat/message.ts'
import { type AnswerState, answerStateOf } from '../../contract/chat/answer-state.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import {
  type Agent,
  type ApprovalRequest,
  type PendingToolCall,
  type DecidedCall,
  type ModelChoice,
  type Tokens,
} from '../answering/agents/agent.ts'
import { ANSWER_FILTERS, pass } from '../answering/filters/answer-filters.ts'
import { ATTRIBUTES, OPERATIONS } from '../telemetry/tracing/names.ts'
import { inSpan, isTracing, pseudonymOf } from '../telemetry/tracing/spans.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import type { AskedPrompt } from '../replies/routing/model-verdict.ts'
import type { TokenUsage } from '../store/turns/budgets.ts'
import type { Database } from '../store/engine/database.ts'
import { readSessionFiles } from '../store/sessions/files.ts'
import { isOutage } from '../store/engine/storage-fault.ts'
import { endTurn, findEnd, type TurnEnd } from '../store/turns/turn-ends.ts'
import { answerChunks } from './log/answer-chunks.ts'
import { followLog, type Following, type StoredTurnReader } from './log/follow.ts'
import { type LogWriter, type LossReason, MAX_BUFFERED_MS } from './log/log-writer.ts'
import type { Semaphore } from '../../async/semaphore.ts'
import type { ModelBudget } from './model-budget.ts'
import { lastPrompts } from './prompt-router.ts'
import { endChunks } from './log/replay.ts'
import type { ConcernedTurn } from './stops.ts'
import type { TurnLog } from './log/turn-log.ts'
import { failedEnd } from './unstored-answer.ts'

const END_RETRY_MS = 500

export interface RunningTurnOptions {
  id: string
  sessionId: string
  promptId: string
  answerId: string
  budget: ModelBudget
  writer: LogWriter
  stored: StoredTurnReader
  database: Database
  agent: Agent
  /** Decides whether a fixed text replies to the prompt instead of the model, and which files the model may not use. Stops apply from `onDecided` on. */
  decide: (asked: AskedPrompt, onDecided: () => void) => Promise<{ reply: FixedReply | null; files: readonly string[] }>
  /** Has a model decide about a prompt without a fixed reply; undefined if the policy asks for no such verdict. Never rejects. */
  route: (messages: ChatMessage[], languages: readonly string[], signal: AbortSignal) => Promise<FixedReply | null> | undefined
  /** Caps how many ends are stored at a time. */
  ends: Semaphore
  /** Asks the visitor to approve a tool call; undefined in a temporary chat. */
  requestApproval: ((call: PendingToolCall) => ApprovalRequest) | undefined
  now: () => number
  /** On abort, an unstored end is reported anyway and left to the sweeper. */
  givingUp: AbortSignal
  operation?: string | undefined
  onFault: (message: string, cause: unknown) => void
}

/** The conversation before the answer. `continues` if the last message is an answer to continue. */
export interface History {
  messages: ChatMessage[]
  continues: boolean
  pageContext?: PageContext
  languages?: readonly string[] | undefined
  /** The visitor's decisions about the last message's approval requests. */
  decided?: readonly DecidedCall[] | undefined
}

type Outcome = Pick<TurnEnd, 'status' | 'code'> & { retryAfterS?: number }

/** The end of a turn. `retryAfterS` is the model's retry delay. */
export type TurnResult = TurnEnd & { retryAfterS?: number }

/** A running turn: the model writes to its log, followers read it, and its end is stored before it is reported. */
export class RunningTurn {
  readonly id: string
  readonly sessionId: string
  readonly follow: Following
  readonly #log: TurnLog
  /** Resolves when the end is stored and reported. */
  readonly ended: Promise<TurnResult>
  readonly #options: RunningTurnOptions
  readonly #builder: MessageBuilder
  readonly #abort = new AbortController()
  #stoppedAs: Outcome | null = null
  #lost: LossReason | null = null
  #begunAtMs = 0
  #firstTextMs: number | null = null
  #state: AnswerState | undefined
  #prompts: { prompt: string; earlier: string | null } | null = null
  /** Files of the passages that the model was given. */
  #givenFiles: readonly string[] = []
  #versions: Agent['versions'] | null = null
  #isFixedReply = false
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  #answeredBy: ModelChoice
  readonly #ending = Promise.withResolvers<TurnResult>()

  constructor(options: RunningTurnOptions) {
    this.id = options.id
    this.sessionId = options.sessionId
    this.#options = options
    this.#builder = new MessageBuilder(options.answerId)
    this.#answeredBy = options.budget.model
    this.#log = options.writer.open(options.id, (why) => this.#lose(why))
    this.ended = this.#ending.promise
    this.follow = (after, signal) => followLog({ log: this.#log, stored: options.stored }, after, signal)
  }

  get firstTextMs(): number | null {
    return this.#firstTextMs
  }

  get elapsedMs(): number {
    return performance.now() - this.#begunAtMs
  }

  get answeredBy(): ModelChoice {
    return this.#answeredBy
  }

  /** Token usage, known at the end. */
  get usage(): TokenUsage {
    return this.#usage
  }

  /** Stops the model on request. The first reason to stop wins. */
  stop(): void {
    this.#stop({ status: 'stopped', code: null })
  }

  /** Agent, prompt and files used so far; `null` before the prompt is known. */
  get concerns(): ConcernedTurn | null {
    if (this.#prompts === null) return null
    return { agent: this.#options.agent.id, ...this.#prompts, files: [...this.#givenFiles, ...filesIn(this.#builder.message.parts)] }
  }

  /** Stops the model because of the server. The first reason to stop wins. */
  interrupt(code: ErrorCode): void {
    this.#stop({ status: 'interrupted', code })
  }

  /** Answers the last prompt of the history. Any failure becomes the turn's end, reported by `ended`. Call it once. */
  begin(history: () => Promise<History>): void {
    this.#begunAtMs = performance.now()
    this.#traced(() => this.#run(history)).then(this.#ending.resolve, this.#ending.reject)
  }

  #traced(run: () => Promise<TurnResult>): Promise<TurnResult> {
    const { agent, sessionId, operation } = this.#options
    const attributes = {
      ...(operation !== undefined && { [ATTRIBUTES.operationId]: operation }),
      [ATTRIBUTES.operation]: OPERATIONS.invokeAgent,
      [ATTRIBUTES.agentId]: agent.id,
      [ATTRIBUTES.requestModel]: agent.modelOf(this.#options.budget.model).name,
      ...(isTracing() && { [ATTRIBUTES.conversation]: pseudonymOf(sessionId) }),
    }
    return inSpan(`${OPERATIONS.invokeAgent} ${agent.id}`, { attributes }, async (span) => {
      const end = await run()
      const { inputTokens, outputTokens } = this.#usage
      span.set({ [ATTRIBUTES.turnStatus]: end.status, [ATTRIBUTES.answerState]: end.state })
      span.set({ [ATTRIBUTES.inputTokens]: inputTokens, [ATTRIBUTES.outputTokens]: outputTokens })
      if (end.code) span.fail(end.code)
      return end
    })
  }

  #stop(as: Outcome): void {
    this.#stoppedAs ??= as
    this.#abort.abort()
  }

  #lose(why: LossReason): void {
    this.#lost = why
    this.interrupt(why === 'taken-away' ? 'internal' : 'storage_unavailable')
  }

  async #run(history: () => Promise<History>): Promise<TurnResult> {
    const { answerId, sessionId, promptId, agent, budget, now } = this.#options
    const metadata: MessageMetadata = {
      sessionId,
      turnId: this.id,
      promptId,
      model: agent.modelOf(budget.model).label,
      ...(budget.model === 'fallback' && { isFallback: true }),
      createdAt: new Date(now()).toISOString(),
      aiGenerated: true,
    }
    this.#emit({ type: 'start', messageId: answerId, messageMetadata: metadata })
    return this.#end(await this.#answer(history))
  }

  async #answer(history: () => Promise<History>): Promise<Outcome> {
    const { agent, budget, database, decide, route, requestApproval, sessionId: chat } = this.#options
    const { model, allowance } = budget
    const { signal } = this.#abort
    const onUsage = (used: Tokens, by: ModelChoice) => {
      this.#usage = { ...used, ...(by !== model && { usedFallback: true }) }
      this.#answeredBy = by
    }
    try {
      const read = await this.#readPatiently(history)
      const [prompt, earlier] = lastPrompts(read.messages)
      const { languages = [] } = read
      const { reply, files } = await decide({ prompt, earlier, languages }, () => (this.#prompts = { prompt, earlier }))
      this.#versions = agent.versions
      this.#isFixedReply = reply !== null
      const readFiles = (ids: readonly string[]) => readSessionFiles(database, chat, ids)
      const onFiles = (given: string[]) => (this.#givenFiles = given)
      const onState = (state: AnswerState) => (this.#state = state)
      const request = { ...read, requestApproval, signal, chat, readFiles, model, allowance, onUsage, onFiles, excludedFiles: files }
      const isRouted = !reply && !read.continues && !read.decided?.length
      const verdict = isRouted ? route(read.messages, languages, signal) : undefined
      const onReplaced = () => (this.#isFixedReply = true)
      await this.#emitAll(answerChunks(agent, request, { reply, verdict, asked: { prompt, languages }, onState, onReplaced }))
      return this.#stoppedAs ?? { status: 'done', code: this.#builder.message.metadata?.code ?? null }
    } catch (error) {
      return this.#stoppedAs ?? failedEnd(error, (code) => this.#options.onFault(`A turn ended with ${code}`, error))
    }
  }

  async #emitAll(chunks: AsyncIterable<ChatChunk>): Promise<void> {
    const log = (chunk: ChatChunk) => {
      this.#emit(chunk)
      return this.#options.writer.room(this.#log, this.#abort.signal)
    }
    for await (const { type } of pass(ANSWER_FILTERS.turn, chunks, { log }))
      if (type === 'text-delta') this.#firstTextMs ??= performance.now() - this.#begunAtMs
  }

  #emit(chunk: ChatChunk): void {
    if (this.#lost) return
    this.#builder.apply(chunk)
    this.#log.append(chunk)
  }

  async #end(outcome: Outcome): Promise<TurnResult> {
    const { writer } = this.#options
    const written = this.#builder.finished()
    const state = answerStateOf(outcome, this.#state)
    const metadata = { status: outcome.status, ...(outcome.code && { code: outcome.code }), state }
    const end: TurnResult = {
      ...outcome,
      state,
      versions: this.#answerVersions(),
      usage: this.#usage,
      answer: { ...written, metadata: { ...written.metadata, ...metadata } },
    }
    const stored = await this.#store(end)
    writer.close(this.#log)
    if (stored === 'here') this.#log.end(chunksOf(end))
    if (stored === 'elsewhere') return this.#superseded(end)
    if (stored === 'nowhere') return this.#endUnstored(end)
    return end
  }

  /** Versions that the answer was made from; `null` if no agent was chosen. */
  #answerVersions(): TurnEnd['versions'] {
    if (!this.#versions) return null
    const { name } = this.#options.agent.modelOf(this.#answeredBy)
    return { ...this.#versions, model: this.#isFixedReply ? null : name }
  }

  /** Stores the end. Resolves with where it was stored: by this call, by another process, or nowhere. */
  async #store(end: TurnEnd): Promise<'here' | 'elsewhere' | 'nowhere'> {
    const { database, ends, givingUp, now, onFault } = this.#options
    let isFirst = true
    for (;;) {
      try {
        return (await ends.run(() => endTurn(database, this.id, end, now()), givingUp)) ? 'here' : 'elsewhere'
      } catch (error) {
        if (isFirst) onFault('Storing the end of a turn failed; retrying', error)
        isFirst = false
        if (!(await this.#waitToRetry())) return 'nowhere'
      }
    }
  }

  /** Waits for a database that goes away after the prompt was stored. */
  async #readPatiently(history: () => Promise<History>): Promise<History> {
    for (;;) {
      try {
        const read = await history()
        this.#firstFailedAt = null
        return read
      } catch (error) {
        if (!isOutage(error) || this.#abort.signal.aborted || !(await this.#waitToRetry())) throw error
      }
    }
  }

  #firstFailedAt: number | null = null

  /** Waits before the next attempt. Resolves with false after the time limit. */
  async #waitToRetry(): Promise<boolean> {
    const { givingUp, writer } = this.#options
    const now = performance.now()
    this.#firstFailedAt ??= writer.failingSince ?? now
    if (this.#lost === 'not-stored' || givingUp.aborted || now - this.#firstFailedAt >= MAX_BUFFERED_MS) return false
    await pause(END_RETRY_MS, undefined, { signal: givingUp }).catch(() => undefined)
    return true
  }

  /** Another process has ended or deleted the turn, so the stored end applies. */
  async #superseded(own: TurnResult): Promise<TurnResult> {
    const { database, onFault } = this.#options
    try {
      return (await findEnd(database, this.id)) ?? asInterrupted(own, 'not_found')
    } catch (error) {
      onFault('Reading the end of a turn failed; reporting it as interrupted', error)
      return asInterrupted(own, 'storage_unavailable')
    } finally {
      this.#log.supersede()
    }
  }

  /** Nothing was stored. The sweeper will end the turn as interrupted. */
  #endUnstored(own: TurnResult): TurnResult {
    const end = asInterrupted(own, 'storage_unavailable')
    this.#log.endUnstored(chunksOf(end))
    return end
  }
}

/** The knowledge files that an answer has used: those of its sources and of what its searches returned. */
function filesIn(parts: readonly ChatMessagePart[]): string[] {
  return [...sourcesOf(parts).flatMap((part) => ('filename' in part ? (part.filename ?? []) : [])), ...parts.flatMap(searchedFiles)]
}

function searchedFiles(part: ChatMessagePart): string[] {
  const passages = 'output' in part ? (part.output as { passages?: unknown } | null | undefined)?.passages : undefined
  if (!Array.isArray(passages)) return []
  return passages.flatMap((passage: unknown) => (isPassage(passage) ? passage.file : []))
}

const isPassage = (value: unknown): value is { file: string } =>
  typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string'

function asInterrupted(end: TurnResult, code: ErrorCode): TurnResult {
  const ended = { status: 'interrupted', code, state: 'interrupted' } as const
  const metadata = { ...end.answer.metadata, ...ended }
  return { ...ended, usage: end.usage, answer: { ...end.answer, metadata } }
}

function chunksOf({ status, code, state }: TurnEnd): ChatChunk[] {
  return endChunks({ status, ...(code && { code }), state })
}
