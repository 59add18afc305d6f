import type { StaffProblem } from '../contract/staff/problems.ts'
import { type MessageText, t } from '../ui/language/translate.ts'

const STAFF_API = '/api/staff/v1/'

/** A rejection by the server. `message` is the text to show. */
export class Rejected extends Error {
  readonly code: string

  constructor({ title, code, detail }: Pick<StaffProblem, 'title' | 'code' | 'detail'>) {
    super(detail === undefined ? title : `${title} ${detail}`)
    this.code = code
  }
}

/** A rejection by the server in the reader's language, whose catalogs have the titles of the contract; its detail stays in English. */
function rejectionOf({ title, code, detail }: StaffProblem): Rejected {
  return new Rejected({ title: t(title as MessageText), code, ...(detail !== undefined && { detail }) })
}

export const unreachable = (): Rejected =>
  new Rejected({ title: t('The server can’t be reached. Check your connection, and try again.'), code: 'unreachable' })
const unexpected = () => new Rejected({ title: t('The server replied with something unexpected. Try again.'), code: 'unexpected' })

/** Sends a request to the staff API; `path` is below its prefix. @throws {Rejected} */
export async function request(path: string, options?: RequestInit): Promise<Response> {
  const response = await fetch(STAFF_API + path, options).catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw await response.json().then(rejectionOf, unexpected)
  return response
}

/** Calls the staff API with JSON or a file; `path` is below its prefix. @throws {Rejected} */
export async function call<Reply>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Reply> {
  const response = await request(path, { method, ...(body && optionsOf(body)) })
  return response.json().catch(() => {
    throw unexpected()
  }) as Promise<Reply>
}

function optionsOf(body: object): RequestInit {
  if (body instanceof Blob) return { headers: { 'content-type': 'application/octet-stream' }, body }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

export function messageOf(error: unknown): string {
  if (error instanceof Rejected) return error.message
  console.error(error)
  return t('Something went wrong. Reload the page, and try again.')
}
