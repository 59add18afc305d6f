import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import type { AnswerReader } from '../../../api/follow-answer.ts'
import type { WorkContext } from '../../../state/chat-machine/chat-machine.ts'
import { throttle } from './throttle.ts'

/** Minimum time between two reports of a streaming answer: 8 a second read as well as 10, and cost a fifth less. */
const REPORT_EVERY_MS = 125
/** More new characters than this are reported at once, so that no step has too much to render. Readers follow some 50. */
const MAX_CHARACTERS_A_STEP = 6_000

/** Reports one answer to the chat machine as its stream is read. */
export class AnswerReports implements AnswerReader {
  #hasBegun = false
  #reportedCharacters = 0
  readonly #work: WorkContext
  readonly #report = throttle((message: ChatMessage) => {
    this.#reportedCharacters = textOf(message).length
    this.#work.report({ type: 'answer-progressed', message })
  }, REPORT_EVERY_MS)

  constructor(work: WorkContext) {
    this.#work = work
  }

  onPosition(position: number): void {
    this.#work.report({ type: 'queue-position-changed', position })
  }

  onMessage(message: ChatMessage): void {
    if (this.#work.signal.aborted) return
    if (!this.#hasBegun) this.#begin(message)
    if (textOf(message).length - this.#reportedCharacters > MAX_CHARACTERS_A_STEP) this.#report.hurry(message)
    else this.#report(message)
  }

  onConnection(connection: 'live' | 'reconnecting'): void {
    this.#work.report({ type: 'connection-changed', connection })
  }

  /** Drops the report that is due. */
  end(): void {
    this.#report.cancel()
  }

  #begin({ metadata }: ChatMessage): void {
    this.#hasBegun = true
    this.#work.report({ type: 'answer-begun', turn: metadata?.turnId, promptId: metadata?.promptId, sessionId: metadata?.sessionId })
  }
}
