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
  #held: Delta | undefined
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
    } else if (this.#held && this.#held.type === part.type && this.#held.id === part.id) {
      this.#held.delta += part.delta
    } else {
      this.#hold(part)
    }
  }

  release(): void {
    if (!this.#held) return
    clearTimeout(this.#timer)
    this.#write(this.#held)
    this.#held = undefined
    this.#lastDeltaAt = performance.now()
  }

  /** Forgets what is held. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#held = undefined
  }

  #hold(part: Delta): void {
    this.release()
    this.#held = { ...part }
    const waitMs = this.#lastDeltaAt + this.#pace.intervalMs - performance.now()
    if (waitMs <= 0) this.release()
    else this.#timer = setTimeout(() => this.release(), waitMs)
  }
}

function isMergeable(part: LanguageModelV4StreamPart): part is Delta {
  const isDelta = part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
  return isDelta && part.providerMetadata === undefined
}
