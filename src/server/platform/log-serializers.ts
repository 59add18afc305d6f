import { createHash } from 'node:crypto'

const MAX_CAUSES = 4
const MAX_MESSAGE_CHARACTERS = 500
/** PostgreSQL's errors about a value quote the value. */
const ABOUT_A_VALUE = /^22/

interface LoggedError {
  type: string
  code?: string
  message?: string
  stack?: string
  cause?: LoggedError
}

/** The loggable form of an id: the first 8 hexadecimal digits of its SHA-256. Allows correlation without access. */
export function loggedId(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8)
}

/** The loggable part of an error, without what libraries add: failing rows (PostgreSQL), requests with prompts (AI SDK), URLs. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, stack = '', cause } = error
  const code = (error as { code?: unknown }).code
  const hasCode = typeof code === 'string' || typeof code === 'number'
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: name === 'Error' ? error.constructor.name : name,
    ...(hasCode && { code: String(code) }),
    ...(!(hasCode && ABOUT_A_VALUE.test(String(code))) && { message: error.message.slice(0, MAX_MESSAGE_CHARACTERS) }),
    ...(frames.length > 0 && { stack: frames.join('\n') }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: loggedError(cause, depth + 1) }),
  }
}
