import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_MS } from '../staff/staff-access.ts'

/** The cookie with a session's secret. Cookies ignore ports, so its name differs from those of visitors. */
export class StaffCookie {
  readonly #isHttps: boolean

  constructor(isHttps: boolean) {
    this.#isHttps = isHttps
  }

  /** The secret; `null` if the browser sends none or several. */
  read({ headers }: FastifyRequest): string | null {
    const prefix = `${this.#name}=`
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const [value, ...more] = pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length))
    return value !== undefined && more.length === 0 ? value : null
  }

  set(reply: FastifyReply, secret: string): void {
    this.#write(reply, secret, SESSION_MS / 1000)
  }

  clear(reply: FastifyReply): void {
    this.#write(reply, '', 0)
  }

  // The prefix binds the cookie to this host and to https.
  get #name(): string {
    return this.#isHttps ? '__Host-staff' : 'staff'
  }

  #write(reply: FastifyReply, value: string, maxAgeS: number): void {
    const secure = this.#isHttps ? '; Secure' : ''
    reply.header('set-cookie', `${this.#name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeS}${secure}`)
  }
}
