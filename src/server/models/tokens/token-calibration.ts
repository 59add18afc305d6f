/** Reports beyond these ratios are implausible: cached tokens left out, or a made-up number. */
const PLAUSIBLE = { least: 0.4, most: 3 } as const
/** Below this, the providers' overhead outweighs the text. */
const MIN_ESTIMATE = 200
const WEIGHT = 0.2

/** Ratio of counted to estimated tokens of a model, learned from reported usage. Lives as long as the process. */
export class TokenCalibration {
  #factor = 1

  get factor(): number {
    return this.#factor
  }

  /** Learns from a call. Returns its ratio, or `null` if the report is implausible. */
  learn(estimatedTokens: number, reportedTokens: number | undefined): number | null {
    if (reportedTokens === undefined || estimatedTokens < MIN_ESTIMATE) return null
    const ratio = reportedTokens / estimatedTokens
    if (!(ratio >= PLAUSIBLE.least && ratio <= PLAUSIBLE.most)) return null
    this.#factor += WEIGHT * (ratio - this.#factor)
    return ratio
  }
}

export class TokenCalibrations {
  readonly #byModel = new Map<string, TokenCalibration>()

  of(model: string): TokenCalibration {
    const known = this.#byModel.get(model)
    if (known) return known
    const calibration = new TokenCalibration()
    this.#byModel.set(model, calibration)
    return calibration
  }
}
