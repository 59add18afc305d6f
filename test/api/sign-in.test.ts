import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignInBegun, SignedOut } from '../../src/contract/sign-in.ts'
import { allEvents, cookieOf, listSessions, readEvents, spoken, streamPrompt, type StreamEvent, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { answerOf, codeOf, Device } from '../support/device.ts'
import { CLIENT, startOidcServer } from '../support/oidc-server.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

let logins = 0
/** Unique words, so lost or repeated ones show. */
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
/** A login that no other test uses. */
const someone = () => `person-${(logins += 1)}`

describe.each(DATABASES)('signing in, on %s', (database) => {
  let oidc: Awaited<ReturnType<typeof startOidcServer>>
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    oidc = await startOidcServer()
    model = await startScriptedModel()
    const env = { ...oidc.env, OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' }
    server = await startServer({ database, env })
  })
  afterAll(async () => {
    await server.stop()
    await Promise.all([oidc.close(), model.close()])
  })
  const device = () => new Device(server.url)

  test('an unavailable provider prevents neither startup nor prompts', async () => {
    const visitor = device()
    expect(await codeOf(await visitor.post('/sign-in'))).toEqual([503, 'sign_in_unavailable'])
    expect(await visitor.ask('hello')).toMatch(/^\w{21}$/)
    oidc.register(server.url)
    expect(new URL(await visitor.begin()).origin).toBe(oidc.issuer)
  })

  test('the configuration offers sign-in, and the privacy notice names the provider', async () => {
    const get = async (path: string) => (await fetch(server.url + path)).json()
    expect(await get('/api/v1/config')).toMatchObject({ signIn: true })
    expect(await get('/api/v1/privacy-notice')).toMatchObject({
      markdown: expect.stringContaining(`**${new URL(oidc.issuer).host}** then`),
    })
  })

  test('requests only an identity from the provider, with PKCE, state and nonce', async () => {
    const address = new URL(await device().begin())
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
      redirect_uri: `${server.url}/api/v1/sign-in/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(address.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
  })

  test('an anonymous visitor keeps their chats, and other devices show them', async () => {
    const [login, first, second] = [someone(), device(), device()]
    const session = await first.ask('the first device')
    const anonymous = await first.me()
    expect(anonymous).toMatchObject({ name: 'User', signedIn: false })
    const signedIn = await first.signIn(oidc, login)
    expect(signedIn.status).toBe(200)
    expect(await signedIn.json()).toEqual({ visitor: await first.me() })
    expect(await first.me()).toMatchObject({ name: 'User', signedIn: true })
    expect((await first.me())?.sub).not.toBe(anonymous?.sub)
    expect(await first.sessions()).toEqual([session])
    const other = await second.ask('the second device')
    await second.signIn(oidc, login)
    expect((await second.me())?.sub).toBe((await first.me())?.sub)
    expect((await second.sessions()).toSorted()).toEqual([session, other].toSorted())
    expect(await first.sessions()).toEqual(await second.sessions())
  })

  test('devices that sign in concurrently for the first time become one visitor', async () => {
    const login = someone()
    const devices = Array.from({ length: 4 }, device)
    const landings = await Promise.all(devices.map(async (one) => oidc.signIn(await one.begin(), login)))
    await Promise.all(devices.map((one, index) => one.post('/sign-in/complete', answerOf(landings[index]!))))
    expect(new Set(await Promise.all(devices.map(async (one) => (await one.me())?.sub))).size).toBe(1)
  })

  test('a running turn is not disturbed when its visitor signs in, and becomes theirs', async () => {
    const visitor = device()
    const text = words(60)
    model.script([{ text, tokensPerSecond: 40 }])
    const answering = await streamPrompt(server.url, 'me', 'Count slowly', { headers: visitor.headers })
    visitor.cookies.set('visitor', cookieOf(answering).split('=', 2)[1]!)
    const events = readEvents(answering)
    const first = await events.next()
    const begun = first.value as StreamEvent
    await visitor.signIn(oidc, someone())
    const [session = ''] = await visitor.sessions()
    expect(begun.chunk).toMatchObject({ messageMetadata: { sessionId: session } })
    const turn = (begun.chunk as { messageMetadata: { turnId: string } }).messageMetadata.turnId
    const followed = await fetch(`${server.url}/api/v1/turns/${turn}/stream`, { headers: visitor.headers })
    expect(textOfEvents(await allEvents(followed))).toBe(text)
    expect(textOfEvents(await Array.fromAsync(events))).toBe(text)
    expect(spoken((await listSessions(server.url, 'me', visitor.headers))[0])).toEqual([
      ['human', 'Count slowly'],
      ['agent', text],
    ])
  })

  test('on a shared computer, the account’s key ends with the browser, and the account keeps the chats', async () => {
    const [login, shared, own] = [someone(), device(), device()]
    await shared.post('/agent/chat/me', { prompt: 'from the library', device: 'shared' })
    const signedIn = await shared.signIn(oidc, login)
    const cookie = signedIn.headers.getSetCookie().find((value) => value.startsWith('visitor='))
    expect(cookie).toMatch(/^visitor=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    await own.signIn(oidc, login)
    expect(await own.sessions()).toEqual(await shared.sessions())
    expect(await own.sessions()).toHaveLength(1)
  })

  test('signing in as another account keeps the chats of the accounts separate', async () => {
    const [first, second, visitor] = [someone(), someone(), device()]
    await visitor.signIn(oidc, first)
    const firstKey = visitor.cookies.get('visitor')!
    const session = await visitor.ask('of the first account')
    await visitor.signIn(oidc, second)
    expect(await visitor.sessions()).toEqual([])
    const old = device()
    old.cookies.set('visitor', firstKey)
    expect(await old.me()).toBeNull()
    await visitor.signIn(oidc, first)
    expect(await visitor.sessions()).toEqual([session])
  })

  test('signing out ends this device’s key only, and returns the provider’s sign-out address', async () => {
    const [login, here, there] = [someone(), device(), device()]
    await here.signIn(oidc, login)
    await there.signIn(oidc, login)
    const session = await there.ask('hello')
    const copied = device()
    copied.cookies.set('visitor', here.cookies.get('visitor')!)
    const response = await here.post('/sign-out')
    const address = new URL(((await response.json()) as SignedOut).address!)
    expect(address.origin).toBe(oidc.issuer)
    expect(Object.fromEntries(address.searchParams)).toEqual({ client_id: 'parley', post_logout_redirect_uri: `${server.url}/` })
    expect(here.cookies.has('visitor')).toBe(false)
    expect(await copied.me()).toBeNull()
    expect(await there.sessions()).toEqual([session])
  })

  test('signing out works without the provider', async () => {
    const visitor = device()
    await visitor.signIn(oidc, someone())
    const key = visitor.cookies.get('visitor')!
    oidc.answerWith((_request, response) => response.destroy())
    expect((await visitor.post('/sign-out')).status).toBe(200)
    oidc.answerWith(null)
    visitor.cookies.set('visitor', key)
    expect(await visitor.me()).toBeNull()
  })

  test('needs consent first, and hides its cookies from scripts and other sites', async () => {
    const visitor = device()
    visitor.cookies.clear()
    expect(await codeOf(await visitor.post('/sign-in'))).toEqual([428, 'consent_required'])
    visitor.cookies.set('privacy-consent', 'true')
    const [begun] = (await visitor.post('/sign-in')).headers.getSetCookie()
    expect(begun).toMatch(/^sign-in=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600$/)
  })

  test('reports that the provider became unavailable, and allows another attempt', async () => {
    const visitor = device()
    const session = await visitor.ask('hello')
    const login = someone()
    const answer = answerOf(await oidc.signIn(await visitor.begin(), login))
    oidc.answerWith((_request, response) => response.writeHead(502).end())
    expect(await codeOf(await visitor.post('/sign-in/complete', answer))).toEqual([503, 'sign_in_unavailable'])
    oidc.answerWith(null)
    expect(await visitor.sessions()).toEqual([session])
    expect((await visitor.signIn(oidc, login)).status).toBe(200)
    expect(await visitor.sessions()).toEqual([session])
  })

  test('logs nothing about who signed in', async () => {
    await expect.poll(() => server.output()).toContain('Signing a visitor in at the provider failed')
    expect(server.output()).not.toMatch(/person-\d|eyJ[\w-]+\.|code=|[?&]state=|v_[a-z2-7]{26}/)
  })
})

describe('settings of the provider', () => {
  test('the name is requested, shown and stored only if the operator enables it', async () => {
    const oidc = await startOidcServer()
    const server = await startServer({ database: 'sqlite', env: { ...oidc.env, OIDC_SCOPE: 'openid profile' } })
    oidc.register(server.url)
    try {
      const visitor = new Device(server.url)
      await visitor.signIn(oidc, 'ada')
      expect(await visitor.me()).toMatchObject({ name: 'Name of ada', signedIn: true })
    } finally {
      await server.stop()
      await oidc.close()
    }
  })

  test('a public client needs no secret, and a client can send its secret in the body', async () => {
    for (const [secret, method] of [
      [undefined, 'none'],
      [CLIENT.secret, 'client_secret_post'],
    ] as const) {
      const oidc = await startOidcServer()
      const env = { ...oidc.env, OIDC_CLIENT_SECRET: secret }
      const server = await startServer({ database: 'sqlite', env })
      oidc.register(server.url, { token_endpoint_auth_method: method })
      try {
        const visitor = new Device(server.url)
        expect((await visitor.signIn(oidc, 'ada')).status).toBe(200)
      } finally {
        await server.stop()
        await oidc.close()
      }
    }
  })

  test('sign-in is unavailable without a provider', async () => {
    const server = await startServer({ database: 'sqlite' })
    try {
      const visitor = new Device(server.url)
      for (const path of ['/sign-in', '/sign-in/complete', '/sign-out']) expect((await visitor.post(path)).status).toBe(404)
      expect(await (await fetch(`${server.url}/api/v1/config`)).json()).toMatchObject({ signIn: false })
    } finally {
      await server.stop()
    }
  })

  test('behind https, cookies are bound to the host, and the callback uses PUBLIC_URL', async () => {
    const oidc = await startOidcServer()
    const publicUrl = 'https://chat.example.org'
    const server = await startServer({
      database: 'sqlite',
      env: { ...oidc.env, PUBLIC_URL: `${publicUrl}/`, ALLOWED_HOSTS: 'also.example', TRUSTED_PROXIES: '127.0.0.1' },
    })
    oidc.register(publicUrl)
    try {
      const visitor = new Device(server.url)
      const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'also.example' }
      const begun = await visitor.post('/sign-in', {}, proxied)
      const address = ((await begun.json()) as SignInBegun).address
      expect(new URL(address).searchParams.get('redirect_uri')).toBe(`${publicUrl}/api/v1/sign-in/callback`)
      const completed = await visitor.post('/sign-in/complete', answerOf(await oidc.signIn(address, 'ada')), proxied)
      const names = [...begun.headers.getSetCookie(), ...completed.headers.getSetCookie()].map((cookie) => cookie.split('=', 1)[0])
      expect(names).toEqual(['__Host-sign-in', '__Host-sign-in', '__Host-visitor'])
      expect(() => cookieOf(completed)).not.toThrow()
    } finally {
      await server.stop()
      await oidc.close()
    }
  })
})
