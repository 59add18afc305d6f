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

/**
 * Finds the `AgentFailure` in an error or its causes; anything else becomes `model_failed`. Of other errors only the name is included:
 * they carry the request, and prompts must not be logged.
 */
export function failureBehind(error: unknown): AgentFailure {
  const known = causesOf(error).find((cause) => cause instanceof AgentFailure)
  return known ?? new AgentFailure('model_failed', `Reading the model's stream failed: ${describe(error)}`)
}

// Other messages may quote the conversation.
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
