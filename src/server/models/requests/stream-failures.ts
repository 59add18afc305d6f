import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { AgentFailure } from '../agent-failure.ts'

/**
 * Carries the failure of a model's stream past the provider's package, keyed by the call's signal.
 * A web stream that errors discards its queue and those of all streams behind it, so the last text before a cut would be lost. A
 * broken body therefore ends with an unreadable event. The package reports an error in its place, after all text, and the actual
 * failure is recorded here.
 */
export class StreamFailures {
  readonly #failures = new WeakMap<AbortSignal, AgentFailure>()

  withOwnSignal(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions & { abortSignal: AbortSignal } {
    return { ...options, abortSignal: AbortSignal.any(options.abortSignal ? [options.abortSignal] : []) }
  }

  record(signal: AbortSignal, failure: AgentFailure): void {
    this.#failures.set(signal, failure)
  }

  /** The recorded failure of the call, or else the reported error. */
  behind(signal: AbortSignal, error: unknown): unknown {
    return this.#failures.get(signal) ?? error
  }
}

/** An event without JSON, so that the provider's package reports an error in its place. */
export const UNREADABLE_EVENT = 'data: the stream broke here\n\n'
