import type { ChatMessage } from '../../../contract/message.ts'
import { stopTurn } from '../../api/calls.ts'
import { failureSentence } from '../../api/failure.ts'
import { type AnswerOutcome, type AnswerReader, followAnswer } from '../../api/follow-answer.ts'
import { changes } from '../../state/application-store.ts'
import { notify } from '../../ui/notification.tsx'
import { throttle } from './throttle.ts'

/** React hears of a growing answer at most this often. */
const PUBLISH_EVERY_MS = 50

/** One answer that is being written into the open session: shown while it grows, stopped on demand. */
export class RunningAnswer implements AnswerReader {
  /** The session's key: the server's, once the answer has begun. */
  key: string
  turn: string | undefined
  #begun: (answer: RunningAnswer) => void
  #hasBegun = false
  #stopWanted = false
  #signal: AbortSignal
  #publish = throttle((message: ChatMessage) => changes.answerProgressed(this.key, this.turn, message), PUBLISH_EVERY_MS)

  /** `begun` is called with the first chunk, when the key and the turn are the server's. */
  constructor(key: string, signal: AbortSignal, begun: (answer: RunningAnswer) => void) {
    this.key = key
    this.#signal = signal
    this.#begun = begun
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  async follow(start: { first: Response } | { turn: string }): Promise<AnswerOutcome> {
    if ('turn' in start) {
      this.turn = start.turn
      changes.answerProgressed(this.key, this.turn, { id: '', role: 'assistant', parts: [] })
    }
    const outcome = await followAnswer(start, this, this.#signal)
    this.#publish.cancel()
    return outcome
  }

  onMessage(message: ChatMessage): void {
    if (this.#signal.aborted) return
    if (!this.#hasBegun) this.#begin(message)
    this.#publish(message)
  }

  onConnection(connection: 'live' | 'reconnecting'): void {
    changes.connectionChanged(this.key, connection)
  }

  /** Stops the answer; before the turn is known, as soon as it is. What was written stays. */
  async stop(): Promise<void> {
    if (!this.turn) {
      this.#stopWanted = true
      return
    }
    const outcome = await stopTurn(this.turn)
    if (!outcome.ok) notify({ message: `The answer could not be stopped. ${failureSentence(outcome.code)}`, type: 'error' })
  }

  #begin({ metadata }: ChatMessage): void {
    this.#hasBegun = true
    this.turn = metadata?.turnId ?? this.turn
    if (metadata?.sessionId && metadata.sessionId !== this.key) {
      changes.keyReplaced(this.key, metadata.sessionId)
      this.key = metadata.sessionId
    }
    this.#begun(this)
    if (this.#stopWanted) this.stop().catch(console.error)
  }
}
