/** A report beyond these ratios to the estimate is about something else: cached tokens left out, or a made-up number. */
const PLAUSIBLE = { least: 0.4, most: 3 } as const
/** Below this, what providers add around messages outweighs the text. */
const MIN_ESTIMATE = 200
/** Share of the newest report in the average. */
const WEIGHT = 0.2

/**
 * How many tokens a model counts for each that is estimated, learned from the usage that its provider reports.
 * Kept in memory, and starts over with the process.
 */
export class TokenCalibration {
  #factor = 1

  get factor(): number {
    return this.#factor
  }

  /** Learns from a call. Returns the call's own ratio, or null when the report is not plausible. */
  learn(estimatedTokens: number, reportedTokens: number | undefined): number | null {
    if (reportedTokens === undefined || estimatedTokens < MIN_ESTIMATE) return null
    const ratio = reportedTokens / estimatedTokens
    if (!(ratio >= PLAUSIBLE.least && ratio <= PLAUSIBLE.most)) return null
    this.#factor += WEIGHT * (ratio - this.#factor)
    return ratio
  }
}

const MAX_MODELS = 200

/** One calibration for each model, by its name. */
export class TokenCalibrations {
  readonly #byModel = new Map<string, TokenCalibration>()

  of(model: string): TokenCalibration {
    const known = this.#byModel.get(model)
    if (known) return known
    if (this.#byModel.size >= MAX_MODELS) this.#byModel.clear()
    const calibration = new TokenCalibration()
    this.#byModel.set(model, calibration)
    return calibration
  }
}
