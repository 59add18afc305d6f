import type { StaffProblem } from '../contract/staff/problems.ts'

const PREFIX = '/api/staff/v1/'

/** A rejection by the server. `message` is the text to show. */
export class Rejected extends Error {
  readonly code: string

  constructor({ title, code }: Pick<StaffProblem, 'title' | 'code'>) {
    super(title)
    this.code = code
  }
}

const UNREACHABLE = { title: 'The server can’t be reached. Check your connection, and try again.', code: 'unreachable' }
const UNEXPECTED = { title: 'The server replied with something unexpected. Try again.', code: 'unexpected' }

/**
 * Calls the staff API; `path` is below its prefix.
 * @throws {Rejected}
 */
export async function call<Reply>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Reply> {
  const options = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(PREFIX + path, { method, ...options }).catch(() => {
    throw new Rejected(UNREACHABLE)
  })
  const content: unknown = await response.json().catch(() => {
    throw new Rejected(UNEXPECTED)
  })
  if (!response.ok) throw new Rejected(content as StaffProblem)
  return content as Reply
}

/** The text to show for any failure. */
export function messageOf(error: unknown): string {
  if (error instanceof Rejected) return error.message
  console.error(error)
  return 'Something went wrong. Reload the page, and try again.'
}
