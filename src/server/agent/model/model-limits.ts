import { MAX_ANSWER_CHARACTERS } from '../../../contract/size-limits.ts'

/** Every bound on one answer. Times are milliseconds, characters UTF-16 code units. */
export interface ModelLimits {
  /** Until the socket to the model is open, TLS included. */
  connectTimeoutMs: number
  /** From sending the request to the first data; headers and comments are not data. */
  firstDataTimeoutMs: number
  /** Between two pieces of data; comments and keep-alives are not data. */
  idleTimeoutMs: number
  /** The whole answer, all its steps and tools included. */
  totalTimeoutMs: number
  /** One line of a model's stream, and the whole of a reply that is not a stream. */
  maxLineBytes: number
  /** One stream of a model. */
  maxStreamBytes: number
  /** All that a model writes for one answer, text and reasoning. */
  maxAnswerCharacters: number
  /** What a model may read for one answer, all steps together; the newest prompt always. As the provider counts, estimated before that. */
  maxInputTokens: number
  maxOutputTokens: number
  /** What a model is sent of the conversation before the newest prompt, estimated; what is older is summed up. */
  maxHistoryTokens: number
  /** What the model can read and write in one call. */
  windowTokens: number
  maxSteps: number
  toolTimeoutMs: number
  /** What a model gives to one tool, as JSON in UTF-8. */
  maxToolInputBytes: number
  /** One tool result, as JSON in UTF-8. */
  maxToolResultBytes: number
  /** Repeats of a request that got no answer at all (connection lost, 429, 5xx). */
  maxRetries: number
  /** Mean pause before the first repeat; it doubles with each, with half of it at random, and is as long as the model asks for at least. */
  retryDelayMs: number
  /** Deltas that follow each other closer than this are merged. */
  mergeDeltasMs: number
  /** With many streams at once they are held longer, up to this. */
  mergeDeltasMaxMs: number
  /** Pause of the built-in assistant between two pieces of its text. */
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
  maxHistoryTokens: 4_000,
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
