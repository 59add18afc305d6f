import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { MergePace } from './merge-pace.ts'

type Delta = Extract<LanguageModelV4StreamPart, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>

/**
 * Merges deltas: emits the first at once and those that follow within the pace's interval together. Buffers at most one; any other
 * part flushes it and is emitted at once.
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

  /** Discards the buffered delta. */
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
