import { MAX_ANSWER_CHARACTERS } from '../../contract/size-limits.ts'
import { constant } from '../constant.ts'

/** Every bound on one answer, by default. Times are milliseconds, characters UTF-16 code units. */
export const DEFAULT_LIMITS = {
  /** To connect to the model, TLS included. */
  connectTimeoutMs: 5_000,
  /** From sending the request to the first data; headers and comments don't count. */
  firstDataTimeoutMs: 30_000,
  /** Between two events; comments don't count. */
  idleTimeoutMs: 30_000,
  /** For the whole answer, with all steps and tools. */
  totalTimeoutMs: 120_000,
  /** Longest line or event of a model's stream, and longest JSON reply. */
  maxLineBytes: 1024 * 1024,
  /** Longest stream of a model. */
  maxStreamBytes: 32 * 1024 * 1024,
  /** Output of a model for one answer, text and reasoning. */
  maxAnswerCharacters: MAX_ANSWER_CHARACTERS,
  /** Input of all steps of an answer, counted by the provider or else estimated. The newest prompt always passes. */
  maxInputTokens: 32_000,
  maxOutputTokens: 2_000,
  /** Estimated history before the newest prompt; older messages are left out. */
  maxHistoryTokens: constant('historyTokens', 4_000),
  /** Context window: input and output of one call. */
  windowTokens: Number.POSITIVE_INFINITY,
  maxSteps: 6,
  toolTimeoutMs: constant('toolTimeoutMs', 20_000),
  /** Input of one tool call, as JSON in UTF-8. */
  maxToolInputBytes: 64 * 1024,
  /** One tool result, as JSON in UTF-8. */
  maxToolResultBytes: 64 * 1024,
  /** Retries of a request without a response (connection lost, 429, 5xx). */
  maxRetries: 2,
  /** Mean delay before the first retry; doubles with each, half of it random, and at least as long as the model's `Retry-After`. */
  retryDelayMs: 400,
  /** Interval of the pieces of an answer: as often as its text is stored. Twice as long with many answers at once. */
  mergeDeltasMs: 100,
}

export type ModelLimits = Record<keyof typeof DEFAULT_LIMITS, number>
