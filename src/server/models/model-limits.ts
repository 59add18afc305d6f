import { MAX_ANSWER_CHARACTERS } from '../../contract/size-limits.ts'
import { constant } from '../constant.ts'

/** Every bound on one answer. Times are milliseconds, characters UTF-16 code units. */
export interface ModelLimits {
  /** To connect to the model, TLS included. */
  connectTimeoutMs: number
  /** From sending the request to the first data; headers and comments don't count. */
  firstDataTimeoutMs: number
  /** Between two events; comments don't count. */
  idleTimeoutMs: number
  /** For the whole answer, with all steps and tools. */
  totalTimeoutMs: number
  /** Longest line, event or frame of a model's stream, and longest JSON reply. */
  maxLineBytes: number
  /** Longest stream of a model. */
  maxStreamBytes: number
  /** Output of a model for one answer, text and reasoning. */
  maxAnswerCharacters: number
  /** Input of all steps of an answer, counted by the provider or else estimated. The newest prompt always passes. */
  maxInputTokens: number
  maxOutputTokens: number
  /** Estimated history before the newest prompt; older messages are left out. */
  maxHistoryTokens: number
  /** Context window: input and output of one call. */
  windowTokens: number
  maxSteps: number
  toolTimeoutMs: number
  /** Input of one tool call, as JSON in UTF-8. */
  maxToolInputBytes: number
  /** One tool result, as JSON in UTF-8. */
  maxToolResultBytes: number
  /** Retries of a request without a response (connection lost, 429, 5xx). */
  maxRetries: number
  /** Mean delay before the first retry; doubles with each, half of it random, and at least as long as the model's `Retry-After`. */
  retryDelayMs: number
  mergeDeltasMs: number
  /** Longest interval for merging deltas, with many concurrent streams. */
  mergeDeltasMaxMs: number
  /** Delay between two pieces of the built-in assistant's text. */
  builtinPauseMs: number
}

export const DEFAULT_LIMITS: Readonly<ModelLimits> = {
  connectTimeoutMs: 5_000,
  firstDataTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 120_000,
  maxLineBytes: 1024 * 1024,
  maxStreamBytes: 32 * 1024 * 1024,
  maxAnswerCharacters: MAX_ANSWER_CHARACTERS,
  maxInputTokens: 32_000,
  maxOutputTokens: 2_000,
  maxHistoryTokens: constant('historyTokens', 4_000),
  windowTokens: Number.POSITIVE_INFINITY,
  maxSteps: 6,
  toolTimeoutMs: 20_000,
  maxToolInputBytes: 64 * 1024,
  maxToolResultBytes: 64 * 1024,
  maxRetries: 2,
  retryDelayMs: 400,
  mergeDeltasMs: 50,
  mergeDeltasMaxMs: 200,
  builtinPauseMs: 40,
}
