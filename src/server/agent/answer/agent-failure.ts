import type { ErrorCode } from '../../../contract/errors.ts'

export interface AgentFailureOptions {
  cause?: unknown
  /** When the model said to come back, in seconds. */
  retryAfterS?: number
}

/** Why an answer ended early. The message and cause are for the log; the visitor sees the sentence of the code. */
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

/**
 * The failure behind an error that came through the SDK: itself, or one in its causes; anything else is `model_failed`.
 * Of foreign errors only the name is kept: they carry the whole request, and prompts do not belong in logs.
 */
export function failureBehind(error: unknown): AgentFailure {
  const known = causesOf(error).find((cause) => cause instanceof AgentFailure)
  return known ?? new AgentFailure('model_failed', `The model's stream could not be read: ${describe(error)}`)
}

// A foreign message may quote the conversation.
function describe(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

const MAX_CAUSES = 8

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  let current = error
  while (current !== undefined && current !== null && causes.length < MAX_CAUSES) {
    causes.push(current)
    current = current instanceof Error ? current.cause : undefined
  }
  return causes
}
