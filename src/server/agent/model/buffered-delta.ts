import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { MergePace } from './merge-pace.ts'

type Delta = Extract<LanguageModelV4StreamPart, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>

/**
 * Merges deltas: the first of a stream goes out at once, those that follow within the interval of the pace together.
 * Holds at most one; any other part first lets out what is held, and passes at once.
 */
export class BufferedDelta {
  readonly #pace: Pick<MergePace, 'intervalMs'>
  readonly #write: (part: LanguageModelV4StreamPart) => void
  #buffered: Delta | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastDeltaAt = Number.NEGATIVE_INFINITY

  constructor(pace: Pick<MergePace, 'intervalMs'>, write: (part: LanguageModelV4StreamPart) => void) {
    this.#pace = pace
    this.#write = write
  }

  accept(part: LanguageModelV4StreamPart): void {
    if (!isMergeable(part)) {
      this.release()
      this.#write(part)
    } else if (this.#buffered && this.#buffered.type === part.type && this.#buffered.id === part.id) {
      this.#buffered.delta += part.delta
    } else {
      this.#buffer(part)
    }
  }

  release(): void {
    if (!this.#buffered) return
    clearTimeout(this.#timer)
    this.#write(this.#buffered)
    this.#buffered = undefined
    this.#lastDeltaAt = performance.now()
  }

  /** Forgets what is held. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#buffered = undefined
  }

  #buffer(part: Delta): void {
    this.release()
    this.#buffered = { ...part }
    const waitMs = this.#lastDeltaAt + this.#pace.intervalMs - performance.now()
    if (waitMs <= 0) this.release()
    else this.#timer = setTimeout(() => this.release(), waitMs)
  }
}

function isMergeable(part: LanguageModelV4StreamPart): part is Delta {
  const isDelta = part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
  return isDelta && part.providerMetadata === undefined
}
