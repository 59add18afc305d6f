import type { ErrorCode } from '../../contract/errors.ts'
import type { ChatChunk, ChatMessage, MessageMetadata } from '../../contract/message.ts'
import { MessageBuilder } from '../../contract/message-builder.ts'
import { type Agent, AgentFailure } from '../agent/agent.ts'
import type { Database } from '../store/database.ts'
import { endTurn, type TurnEnd } from '../store/turns.ts'
import { endChunks } from './replay.ts'
import type { TurnLog } from './turn-log.ts'
import type { Turnstile } from './turnstile.ts'

export interface RunningTurnOptions {
  id: string
  sessionId: string
  answerId: string
  log: TurnLog
  turnstile: Turnstile
  database: Database
  agent: Agent
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

type Outcome = Pick<TurnEnd, 'status' | 'code'>

/** One turn while it runs: the model writes to its log, followers read from it, and its end is stored before it is told. */
export class RunningTurn {
  readonly id: string
  readonly sessionId: string
  /** Resolves when the end is stored and told. */
  readonly ended: Promise<TurnEnd>
  readonly #options: RunningTurnOptions
  readonly #builder: MessageBuilder
  readonly #abort = new AbortController()
  #stoppedAs: 'stopped' | 'interrupted' | null = null
  readonly #ending = Promise.withResolvers<TurnEnd>()

  constructor(options: RunningTurnOptions) {
    this.id = options.id
    this.sessionId = options.sessionId
    this.#options = options
    this.#builder = new MessageBuilder(options.answerId)
    this.ended = this.#ending.promise
  }

  /** Stops the model. The first reason stands. */
  stop(as: 'stopped' | 'interrupted'): void {
    this.#stoppedAs ??= as
    this.#abort.abort()
  }

  /** Frames of server-sent events after `after`, in batches of at most 32 K characters; ends with the turn. */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<string> {
    for await (const batch of this.#options.log.follow(after, signal)) yield batch.map((event) => event.frame).join('')
  }

  /** Answers the last of `history`; whatever the agent does becomes the turn's end, which is `ended` too. To be called once. */
  begin(history: ChatMessage[] | (() => Promise<ChatMessage[]>)): Promise<TurnEnd> {
    this.#run(history).then(this.#ending.resolve, this.#ending.reject)
    return this.ended
  }

  async #run(history: ChatMessage[] | (() => Promise<ChatMessage[]>)): Promise<TurnEnd> {
    const { answerId, sessionId, agent, now } = this.#options
    const metadata: MessageMetadata = { sessionId, turnId: this.id, model: agent.model.label, createdAt: new Date(now()).toISOString() }
    this.#publish({ type: 'start', messageId: answerId, messageMetadata: metadata })
    return this.#end(await this.#answer(history))
  }

  async #answer(history: ChatMessage[] | (() => Promise<ChatMessage[]>)): Promise<Outcome> {
    try {
      const messages = typeof history === 'function' ? await history() : history
      for await (const chunk of this.#options.agent.run({ messages, signal: this.#abort.signal })) this.#publish(chunk)
      return this.#stoppedOutcome() ?? { status: 'done', code: null }
    } catch (error) {
      return this.#stoppedOutcome() ?? this.#failedOutcome(error)
    }
  }

  #publish(chunk: ChatChunk): void {
    this.#builder.apply(chunk)
    this.#options.log.append(chunk)
  }

  #stoppedOutcome(): Outcome | null {
    if (!this.#stoppedAs) return null
    return { status: this.#stoppedAs, code: this.#stoppedAs === 'interrupted' ? 'shutting_down' : null }
  }

  #failedOutcome(error: unknown): Outcome {
    const code: ErrorCode = error instanceof AgentFailure ? error.code : 'internal'
    this.#options.onFault(`A turn failed with ${code}`, error)
    return { status: 'failed', code }
  }

  async #end(outcome: Outcome): Promise<TurnEnd> {
    const { log, turnstile } = this.#options
    const written = this.#builder.finished()
    const metadata = { status: outcome.status, ...(outcome.code && { code: outcome.code }) }
    const answer = { ...written, metadata: { ...written.metadata, ...metadata } }
    await turnstile.pass('end')
    const end = await this.#store({ ...outcome, answer })
    for (const chunk of endChunks({ status: end.status, ...(end.code && { code: end.code }) })) log.append(chunk)
    log.end()
    return end
  }

  async #store(end: TurnEnd): Promise<TurnEnd> {
    try {
      await endTurn(this.#options.database, this.id, end, this.#options.now())
      return end
    } catch (error) {
      this.#options.onFault('The end of a turn could not be stored', error)
      // Nothing was stored: the turn is still open in the database, and the sweeper will end it as interrupted.
      return { ...end, status: 'interrupted', code: 'storage_unavailable' }
    }
  }
}
