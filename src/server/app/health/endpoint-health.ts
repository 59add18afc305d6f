import type { ErrorCode } from '../../../contract/errors.ts'

const MINUTE_MS = 60_000
const MINUTES = 10
const MAX_NAMES = 20

/** Ends of turns that are failures of the model. */
const FAILURES: readonly string[] = [
  'model_failed',
  'model_interrupted',
  'model_unavailable',
  'model_busy',
  'model_timeout',
] satisfies ErrorCode[]

export interface EndpointHealth {
  name: string
  answered: number
  failed: number
  lastFailure: string | null
}

interface Minute {
  begins: number
  health: Map<string, EndpointHealth>
}

/** Counts answers and failures of models, from the ends of turns. Makes no request. */
export class EndpointCounts {
  readonly #now: () => number
  #minutes: Minute[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  turnEnded(name: string, code: string | null | undefined): void {
    const isFailure = FAILURES.includes(code ?? '')
    // Something else ended it, such as the visitor.
    if (code && !isFailure) return
    const { health } = this.#minute()
    const known = health.get(name)
    if (!known && health.size >= MAX_NAMES) return
    const { answered = 0, failed = 0, lastFailure = null } = known ?? {}
    health.set(name, {
      name,
      answered: answered + Number(!isFailure),
      failed: failed + Number(isFailure),
      lastFailure: isFailure ? (code ?? null) : lastFailure,
    })
  }

  get recent(): EndpointHealth[] {
    this.#forget()
    return sumHealth(this.#minutes.flatMap(({ health }) => [...health.values()]))
  }

  #minute(): Minute {
    this.#forget()
    const last = this.#minutes.at(-1)
    if (last && this.#now() - last.begins < MINUTE_MS) return last
    const minute = { begins: this.#now(), health: new Map<string, EndpointHealth>() }
    this.#minutes.push(minute)
    return minute
  }

  #forget(): void {
    this.#minutes = this.#minutes.filter(({ begins }) => this.#now() - begins < MINUTES * MINUTE_MS)
  }
}

/** Fewer failures can be chance. */
const MIN_FAILURES = 3

export function isFailing({ answered, failed }: Pick<EndpointHealth, 'answered' | 'failed'>): boolean {
  return failed >= MIN_FAILURES && failed > answered
}

/** Adds what minutes saw; later ones last. */
function sumHealth(parts: readonly EndpointHealth[]): EndpointHealth[] {
  return [...Map.groupBy(parts, ({ name }) => name)].map(([name, same]) => ({
    name,
    answered: same.reduce((sum, { answered }) => sum + answered, 0),
    failed: same.reduce((sum, { failed }) => sum + failed, 0),
    lastFailure: same.findLast(({ lastFailure }) => lastFailure !== null)?.lastFailure ?? null,
  }))
}
