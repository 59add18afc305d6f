import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Controller = ReadableStreamDefaultController<LanguageModelV4StreamPart>

/**
 * Writes parts into a stream, in order. The first words go ahead: what came together with them follows a turn of the event loop later.
 * Otherwise every stage of the SDK's pipeline handles the parts behind them first, which makes the first words of a short answer a tenth later.
 */
export class PartWriter {
  readonly #controller: Controller
  /** What came with the first words; undefined while nothing has to wait. */
  #waiting: LanguageModelV4StreamPart[] | undefined
  #hasWords = false
  #isClosed = false

  constructor(controller: Controller) {
    this.#controller = controller
  }

  get isFull(): boolean {
    return (this.#controller.desiredSize ?? 0) <= 0
  }

  /** Whether first words have just gone ahead. */
  get isAhead(): boolean {
    return this.#waiting !== undefined
  }

  write(part: LanguageModelV4StreamPart): void {
    if (this.#waiting) {
      this.#waiting.push(part)
      return
    }
    this.#controller.enqueue(part)
    if (this.#hasWords || part.type !== 'text-delta') return
    this.#hasWords = true
    this.#waiting = []
    setImmediate(() => this.#follow())
  }

  close(): void {
    this.#isClosed = true
    if (!this.#waiting) this.#controller.close()
  }

  fail(reason: unknown): void {
    this.drop()
    this.#controller.error(reason)
  }

  /** Forgets what is waiting, of a stream that was left. */
  drop(): void {
    this.#waiting = undefined
  }

  #follow(): void {
    if (!this.#waiting) return
    for (const part of this.#waiting) this.#controller.enqueue(part)
    this.#waiting = undefined
    if (this.#isClosed) this.#controller.close()
  }
}
