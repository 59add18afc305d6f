import type { ErrorCode } from '../../../contract/errors.ts'
import type { InstallationStatus } from '../../../contract/staff/status.ts'

const KEPT_MS = 10 * 60_000

/** Ends of turns that are failures of the model. */
const FAILURES: readonly string[] = [
  'model_failed',
  'model_interrupted',
  'model_unavailable',
  'model_busy',
  'model_timeout',
] satisfies ErrorCode[]

export type EndpointHealth = InstallationStatus['endpoints'][number]

interface End {
  name: string
  at: number
  /** Code of the failure; `null` for an answer. */
  failure: string | null
}

/** Counts answers and failures of models in the last ten minutes, from the ends of turns. Makes no request. */
export class EndpointCounts {
  readonly #now: () => number
  /** Oldest first. */
  readonly #ends: End[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  turnEnded(name: string, code: string | null | undefined): void {
    const isFailure = FAILURES.includes(code ?? '')
    // Something else ended it, such as the visitor.
    if (code && !isFailure) return
    this.#forget()
    this.#ends.push({ name, at: this.#now(), failure: code ?? null })
  }

  get recent(): EndpointHealth[] {
    this.#forget()
    return [...Map.groupBy(this.#ends, ({ name }) => name)].map(([name, ends]) => {
      const failures = ends.flatMap(({ failure }) => failure ?? [])
      return { name, answered: ends.length - failures.length, failed: failures.length, lastFailure: failures.at(-1) ?? null }
    })
  }

  #forget(): void {
    const now = this.#now()
    const kept = this.#ends.findIndex(({ at }) => now - at < KEPT_MS)
    this.#ends.splice(0, kept === -1 ? this.#ends.length : kept)
  }
}

/** Fewer failures can be chance. */
const MIN_FAILURES = 3

export function isFailing({ answered, failed }: Pick<EndpointHealth, 'answered' | 'failed'>): boolean {
  return failed >= MIN_FAILURES && failed > answered
}
