import type { FastifyReply, FastifyRequest } from 'fastify'
import { ATTEMPT_LIFE_S } from '../../contract/size-limits.ts'
import { SESSION_MS } from '../staff/staff-access.ts'

/** The secret of a session, and the sign-in with the provider that a browser has started. */
const LIVES_S = { session: SESSION_MS / 1000, attempt: ATTEMPT_LIFE_S } as const
type Kept = keyof typeof LIVES_S

/** Cookies of staff. Cookies ignore ports, so their names differ from those of visitors. */
export class StaffCookie {
  readonly #isHttps: boolean

  constructor(isHttps: boolean) {
    this.#isHttps = isHttps
  }

  /** `null` if the browser sends none or several. */
  read({ headers }: FastifyRequest, kept: Kept): string | null {
    const prefix = `${this.#nameOf(kept)}=`
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const [value, ...more] = pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length))
    return value !== undefined && more.length === 0 ? value : null
  }

  set(reply: FastifyReply, kept: Kept, value: string): void {
    this.#write(reply, kept, value, LIVES_S[kept])
  }

  clear(reply: FastifyReply, kept: Kept): void {
    this.#write(reply, kept, '', 0)
  }

  // The prefix binds the cookie to this host and to https.
  #nameOf(kept: Kept): string {
    const name = this.#isHttps ? '__Host-staff' : 'staff'
    return kept === 'session' ? name : `${name}-sign-in`
  }

  #write(reply: FastifyReply, kept: Kept, value: string, maxAgeS: number): void {
    const secure = this.#isHttps ? '; Secure' : ''
    reply.header('set-cookie', `${this.#nameOf(kept)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeS}${secure}`)
  }
}
