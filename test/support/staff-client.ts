import { randomUUID } from 'node:crypto'
import type { Invitation } from '../../src/contract/staff/people.ts'
import type { StaffRole } from '../../src/contract/staff/roles.ts'
import type { StaffSession } from '../../src/contract/staff/session.ts'
import { Authenticator } from './authenticator.ts'
import { eventually } from './eventually.ts'
import type { TestServer } from './server.ts'

/** Settings of a server with a console on a free port. */
export const WITH_CONSOLE = { CONSOLE_PORT: '0' }

/** The console's origin, and the secret of the link that the server announces after it is ready; empty if there are people on the staff. */
export async function consoleOf(server: TestServer): Promise<{ origin: string; link: string }> {
  return eventually(() => {
    const found = [...server.output().matchAll(/^Console: (http:\/\/[^/\s]+)(?:\/#\/enter\/(\S+))?\n/gm)].at(-1)
    if (!found) throw new Error(`The server has announced no console:\n${server.output()}`)
    const [, origin = '', link = ''] = found
    return { origin, link }
  })
}

export interface StaffReply<T = unknown> {
  status: number
  headers: Headers
  body: T
}

/** A browser on the console's page. */
export class StaffClient {
  readonly origin: string
  cookie: string | null = null
  /** Cookie of a sign-in with a provider that has begun. */
  attempt: string | null = null
  readonly authenticator = new Authenticator()

  constructor(origin: string) {
    this.origin = origin
  }

  /** Calls the staff API with JSON or bytes; the path is below `/api/staff/v1/`. */
  async call<T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<StaffReply<T>> {
    const isBytes = body instanceof Uint8Array
    const response = await fetch(`${this.origin}/api/staff/v1/${path}`, {
      method,
      headers: {
        origin: this.origin,
        cookie: [this.cookie, this.attempt].filter((one) => one !== null).join('; '),
        ...(body && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
      ...(body && { body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const pair = set.split(';', 1)[0] as string
      if (/^(__Host-)?staff-sign-in=/.test(pair)) this.attempt = pair.endsWith('=') ? null : pair
      else this.cookie = pair
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text || null) as T }
  }

  enter(link: string): Promise<StaffReply<StaffSession>> {
    return this.call('POST', 'session/link', { link })
  }

  async addPasskey(name = 'Phone'): Promise<StaffReply<{ id: string }>> {
    const { body } = await this.call<{ challenge: string }>('POST', 'passkeys/options', {})
    return this.call('POST', 'passkeys', { name, registration: this.authenticator.register({ ...body, origin: this.origin }) })
  }

  async signIn(): Promise<StaffReply<StaffSession>> {
    const { body } = await this.call<{ challenge: string }>('POST', 'session/passkey/options', {})
    return this.call('POST', 'session/passkey', { assertion: this.authenticator.signIn({ ...body, origin: this.origin }) })
  }

  /** Somebody whom this person invites, signed in. */
  async colleague(role: StaffRole): Promise<StaffClient> {
    const { body } = await this.call<Invitation>('POST', 'staff/invitations', { name: `${role} ${randomUUID()}`, role })
    const colleague = new StaffClient(this.origin)
    await colleague.enter(body.url.split('/').at(-1) ?? '')
    return colleague
  }
}
