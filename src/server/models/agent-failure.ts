import type { ErrorCode } from '../../contract/errors.ts'

export interface AgentFailureOptions {
  cause?: unknown
  retryAfterS?: number
}

/** Why an answer ended early. Message and cause are for the log; visitors see the sentence of the code. */
export class AgentFailure extends Error {
  readonly code: ErrorCode
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, message: string, options: AgentFailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AgentFailure'
    this.code = code
    this.retryAfterS = options.retryAfterS
  }
}

/** The `AgentFailure` in an error or its causes, or `model_failed` with the error's name alone: messages may quote the prompt. */
export function failureBehind(error: unknown): AgentFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AgentFailure) return cause
  return new AgentFailure('model_failed', `Reading the model's stream failed: ${error instanceof Error ? error.name : typeof error}`)
}
