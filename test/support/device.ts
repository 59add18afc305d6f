import type { Me } from '../../src/contract/chat/sessions.ts'
import type { SignInAnswer, SignInBegun } from '../../src/contract/sign-in.ts'
import { listSessions, sendPrompt } from './api.ts'
import type { OidcServer } from './oidc-server.ts'

/** A browser as the API sees it: a cookie jar. */
export class Device {
  readonly #url: string
  readonly cookies = new Map<string, string>([['privacy-consent', 'true']])

  constructor(url: string) {
    this.#url = url
  }

  get headers() {
    return { 'sec-fetch-site': 'same-origin', cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  async post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method: 'POST',
      headers: { ...this.headers, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    this.#keep(response)
    return response
  }

  async me(): Promise<Me['visitor']> {
    const response = await fetch(`${this.#url}/api/v1/me`, { headers: this.headers })
    return ((await response.json()) as Me).visitor
  }

  async ask(prompt: string): Promise<string> {
    const response = await sendPrompt(this.#url, 'me', prompt, { headers: this.headers })
    this.#keep(response)
    return ((await response.json()) as { session_id: string }).session_id
  }

  async sessions(): Promise<string[]> {
    return (await listSessions(this.#url, 'me', this.headers)).map(({ key }) => key)
  }

  async begin(): Promise<string> {
    const response = await this.post('/sign-in')
    if (response.status !== 200) throw new Error(`Signing in could not begin: ${await response.text()}`)
    return ((await response.json()) as SignInBegun).address
  }

  /** Completes a sign-in at the provider. */
  async signIn(oidc: OidcServer, login: string): Promise<Response> {
    return this.post('/sign-in/complete', answerOf(await oidc.signIn(await this.begin(), login)))
  }

  #keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

/** The provider's answer in the callback address. */
export const answerOf = (landing: URL) => Object.fromEntries(landing.searchParams) as SignInAnswer
/** Status and code of a rejection. */
export const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]
