import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { AgentFailure } from '../answer/agent-failure.ts'

/**
 * Carries the failure of a model's stream past its provider, by the signal of the call.
 *
 * A web stream that fails throws away what is still queued in it and in every stream behind it: the last words before
 * a cut would be lost, more or fewer by chance. So a broken body ends with an event that no provider can read instead;
 * the provider reports it in its place, after all the text, and here is what really happened.
 */
export class StreamFailures {
  readonly #failures = new WeakMap<AbortSignal, AgentFailure>()

  /** The options with a signal that belongs to this call alone. */
  withOwnSignal(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions & { abortSignal: AbortSignal } {
    return { ...options, abortSignal: AbortSignal.any(options.abortSignal ? [options.abortSignal] : []) }
  }

  record(signal: AbortSignal, failure: AgentFailure): void {
    this.#failures.set(signal, failure)
  }

  /** What went wrong in the call of this signal: the failure of its stream, or else the error that was reported. */
  behind(signal: AbortSignal, error: unknown): unknown {
    return this.#failures.get(signal) ?? error
  }
}

/** An event that is no JSON, so that a provider reports an error where it stands. */
export const UNREADABLE_EVENT = 'data: the stream broke here\n\n'
