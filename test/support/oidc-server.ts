import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider'

/** Chosen here, and passed to the server under test as a setting. */
export const CLIENT = { id: 'parley', secret: 'a secret between the two' }
const MAX_STEPS = 20

type Listener = (...exchange: Parameters<RequestListener>) => unknown

/** A real OpenID Connect provider at 127.0.0.1, cross-site for a page at localhost. Accepts any login; its name is `Name of <login>`. */
export interface OidcServer {
  readonly issuer: string
  /** Paths of the requests from the server under test, not from browsers. */
  readonly asked: string[]
  /** Replaces every reply of the provider; null resets it. */
  answerWith(listener: Listener | null): void
  /** Replaces the reply to the code exchange; null resets it. */
  answerTokenWith(tokens: object | null): void
  /** Roles by login. */
  readonly roles: Map<string, string[]>
  /** Signs in like a browser at the address from the server under test. Resolves with the redirect's target. */
  signIn(address: string, login: string): Promise<URL>
  close(): Promise<void>
}

/** Starts the provider. Its client is added by `register`, because the client's address is known only later. */
export async function startOidcServer(): Promise<OidcServer & { register(clientUrl: string, metadata?: Partial<ClientMetadata>): void }> {
  let provider: Listener | null = null
  let instead: Listener | null = null
  const asked: string[] = []
  const roles = new Map<string, string[]>()
  const server = createServer((request, response) => {
    if (isServer(request)) asked.push(new URL(request.url ?? '/', issuer).pathname)
    const listener = instead ?? provider
    if (listener) return listener(request, response)
    response.writeHead(503).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    asked,
    roles,
    register(clientUrl, metadata = {}) {
      provider = new Provider(issuer, configurationFor(clientUrl, metadata, roles)).callback()
    },
    answerWith(listener) {
      instead = listener
    },
    answerTokenWith(tokens) {
      const forge: Listener = (request, response) =>
        request.url === '/token'
          ? response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens))
          : provider?.(request, response)
      instead = tokens && forge
    },
    signIn: (address, login) => signIn(new URL(issuer).origin, address, login),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function configurationFor(clientUrl: string, metadata: Partial<ClientMetadata>, roles: ReadonlyMap<string, string[]>): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${clientUrl}/api/v1/sign-in/callback`],
        post_logout_redirect_uris: [`${clientUrl}/`],
        ...metadata,
      },
    ],
    claims: { openid: ['sub', 'roles'], profile: ['name'] },
    findAccount: (_context, login) => ({
      accountId: login,
      claims: () => ({ sub: login, name: `Name of ${login}`, roles: roles.get(login) ?? [] }),
    }),
    cookies: { keys: ['of this test'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  }
}

const isServer = (request: IncomingMessage): boolean => !/Mozilla|of a test/.test(request.headers['user-agent'] ?? '')

/** Completes the provider's forms until it redirects elsewhere. */
async function signIn(origin: string, address: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  let form: URLSearchParams | null = null
  for (let step = 0; step < MAX_STEPS; step++) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), 'user-agent': 'of a test' }
    const response: Response = await fetch(url, { redirect: 'manual', headers, ...(form && { method: 'POST', body: form }) })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    const page = await response.text()
    if (next) {
      url = new URL(next, url)
      form = null
      if (url.origin !== origin) return url
    } else {
      const [, action] = /action="([^"]+)"/.exec(page) ?? []
      if (!action) throw new Error(`The provider answered ${response.status}: ${page}`)
      url = new URL(action, url)
      form = new URLSearchParams({ prompt: page.includes('value="login"') ? 'login' : 'consent', login, password: 'any' })
    }
  }
  throw new Error('The provider does not come to an end')
}
