import type { FastifyReply, FastifyRequest } from 'fastify'
import { ATTEMPT_LIFE_S } from '../../contract/size-limits.ts'
import { SESSION_MS } from '../staff/staff-access.ts'

/** The cookie with a session's secret. Cookies ignore ports, so its name differs from those of visitors. */
export class StaffCookie {
  readonly #isHttps: boolean

  constructor(isHttps: boolean) {
    this.#isHttps = isHttps
  }

  /** The secret; `null` if the browser sends none or several. */
  read(request: FastifyRequest): string | null {
    return this.#read(request, this.#name)
  }

  /** The sign-in with the provider that this browser has started; `null` if none. */
  readAttempt(request: FastifyRequest): string | null {
    return this.#read(request, this.#attemptName)
  }

  #read({ headers }: FastifyRequest, name: string): string | null {
    const prefix = `${name}=`
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const [value, ...more] = pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length))
    return value !== undefined && more.length === 0 ? value : null
  }

  set(reply: FastifyReply, secret: string): void {
    this.#write(reply, this.#name, secret, SESSION_MS / 1000)
  }

  clear(reply: FastifyReply): void {
    this.#write(reply, this.#name, '', 0)
  }

  setAttempt(reply: FastifyReply, attempt: string): void {
    this.#write(reply, this.#attemptName, attempt, ATTEMPT_LIFE_S)
  }

  clearAttempt(reply: FastifyReply): void {
    this.#write(reply, this.#attemptName, '', 0)
  }

  // The prefix binds the cookie to this host and to https.
  get #name(): string {
    return this.#isHttps ? '__Host-staff' : 'staff'
  }

  get #attemptName(): string {
    return `${this.#name}-sign-in`
  }

  #write(reply: FastifyReply, name: string, value: string, maxAgeS: number): void {
    const secure = this.#isHttps ? '; Secure' : ''
    reply.header('set-cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeS}${secure}`)
  }
}
