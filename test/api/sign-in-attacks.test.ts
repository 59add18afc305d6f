import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { answerOf, codeOf, Device } from '../support/device.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import { startServer, type TestServer } from '../support/server.ts'

let logins = 0
/** A login that no other test uses. */
const someone = () => `person-${(logins += 1)}`

describe.each(DATABASES)('signing in, under attack, on %s', (database) => {
  let oidc: Awaited<ReturnType<typeof startOidcServer>>
  let server: TestServer
  beforeAll(async () => {
    oidc = await startOidcServer()
    server = await startServer({ database, env: oidc.env })
    oidc.register(server.url)
  })
  afterAll(async () => {
    await server.stop()
    await oidc.close()
  })
  const device = () => new Device(server.url)

  test('the previous key stops working, so that whoever planted or copied it is not signed in', async () => {
    const victim = device()
    const session = await victim.ask('mine')
    const attacker = device()
    attacker.cookies.set('visitor', victim.cookies.get('visitor')!)
    expect(await attacker.sessions()).toEqual([session])
    await victim.signIn(oidc, someone())
    expect(await attacker.sessions()).toEqual([])
    expect(await attacker.me()).toBeNull()
    expect((await fetch(`${server.url}/api/v1/sessions/${session}`)).status).toBe(404)
  })

  test('the callback opens the page and changes nothing, wherever its parameters point', async () => {
    const query = 'code=c&state=s&iss=i&next=https://evil.example&redirect=//evil.example&code2=%0d%0aset-cookie:a=b'
    const response = await fetch(`${server.url}/api/v1/sign-in/callback?${query}`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/#/chat?code=c&state=s&iss=i'])
    expect(response.headers.getSetCookie()).toEqual([])
    const strange = `code=a&code=b&error=${encodeURIComponent('"><script>')}&state=${'s'.repeat(5000)}`
    const answer = await fetch(`${server.url}/api/v1/sign-in/callback?${strange}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/#/chat?error=%22%3E%3Cscript%3E'])
  })

  test('another browser cannot be signed in with an attacker’s authorization response', async () => {
    const [attacker, victim, midway] = [device(), device(), device()]
    const session = await victim.ask('private')
    const answer = answerOf(await oidc.signIn(await attacker.begin(), someone()))
    expect(await codeOf(await victim.post('/sign-in/complete', answer))).toEqual([400, 'sign_in_failed'])
    await midway.begin()
    expect(await codeOf(await midway.post('/sign-in/complete', answer))).toEqual([400, 'sign_in_failed'])
    expect(midway.cookies.has('visitor')).toBe(false)
    expect(await victim.sessions()).toEqual([session])
    expect(await victim.me()).toMatchObject({ signedIn: false })
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const path of ['/sign-in', '/sign-in/complete', '/sign-out']) {
      expect(await codeOf(await victim.post(path, answer, headers))).toEqual([403, 'cross_origin'])
    }
    expect(await victim.sessions()).toEqual([session])
  })

  test.each([
    ['a state that is not its own', { state: 'x'.repeat(43) }],
    ['an answer in another provider’s name', { iss: 'https://evil.example' }],
    ['an answer without the name of its provider, which always gives one', { iss: undefined }],
    ['a code that the provider did not make', { code: 'x'.repeat(43) }],
  ])('rejects %s and ends the attempt', async (_name, change) => {
    const visitor = device()
    const answer = answerOf(await oidc.signIn(await visitor.begin(), someone()))
    const asked = oidc.asked.length
    expect(await codeOf(await visitor.post('/sign-in/complete', { ...answer, ...change }))).toEqual([400, 'sign_in_failed'])
    expect(oidc.asked.slice(asked).includes('/token')).toBe('code' in change)
    expect(visitor.cookies.has('sign-in')).toBe(false)
    expect(await codeOf(await visitor.post('/sign-in/complete', answer))).toEqual([400, 'sign_in_failed'])
    expect(await visitor.me()).toBeNull()
  })

  test('rejects the code of another sign-in, whose PKCE verifier differs', async () => {
    const visitor = device()
    const { code } = answerOf(await oidc.signIn(await device().begin(), someone()))
    const answer = answerOf(await oidc.signIn(await visitor.begin(), someone()))
    expect(await codeOf(await visitor.post('/sign-in/complete', { ...answer, code }))).toEqual([400, 'sign_in_failed'])
    expect(await visitor.me()).toBeNull()
  })

  test('rejects an ID token that the provider did not sign', async () => {
    const visitor = device()
    const address = await visitor.begin()
    const answer = answerOf(await oidc.signIn(address, someone()))
    const nonce = new URL(address).searchParams.get('nonce')!
    const { privateKey } = await generateKeyPair('RS256')
    const forged = await new SignJWT({ nonce })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(oidc.issuer)
      .setSubject('the director')
      .setAudience('parley')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    oidc.answerTokenWith({ access_token: 'any', token_type: 'bearer', id_token: forged })
    expect(await codeOf(await visitor.post('/sign-in/complete', answer))).toEqual([400, 'sign_in_failed'])
    oidc.answerTokenWith(null)
    expect(await visitor.me()).toBeNull()
  })

  test('accepts a code once, also from the browser it was issued for', async () => {
    const visitor = device()
    const answer = answerOf(await oidc.signIn(await visitor.begin(), someone()))
    const replayed = device()
    replayed.cookies.set('sign-in', visitor.cookies.get('sign-in')!)
    expect((await visitor.post('/sign-in/complete', answer)).status).toBe(200)
    expect(await codeOf(await replayed.post('/sign-in/complete', answer))).toEqual([400, 'sign_in_failed'])
    expect(await replayed.me()).toBeNull()
  })

  test('rejects an altered or forged attempt', async () => {
    const visitor = device()
    const answer = answerOf(await oidc.signIn(await visitor.begin(), someone()))
    const sealed = visitor.cookies.get('sign-in')!
    const forged = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    // Not the last character, some of whose bits base64url ignores.
    const altered = `${sealed.slice(0, -3)}${sealed.at(-3) === 'A' ? 'B' : 'A'}${sealed.slice(-2)}`
    for (const attempt of [altered, `${forged}.${sealed.slice(sealed.indexOf('.') + 1)}`, 'x', `${forged}.e30.`]) {
      visitor.cookies.set('sign-in', attempt)
      expect(await codeOf(await visitor.post('/sign-in/complete', answer))).toEqual([400, 'sign_in_failed'])
    }
    expect(await visitor.me()).toBeNull()
  })

  test.each([
    [{}, 400],
    [{ code: 'c' }, 400],
    [{ code: '', state: 's' }, 400],
    [{ code: 'c', state: 's', next: '/' }, 400],
    [{ code: ['c'], state: 's' }, 400],
    [{ code: 'c'.repeat(4097), state: 's' }, 400],
  ])('rejects the authorization response %j', async (body, status) => {
    expect((await device().post('/sign-in/complete', body)).status).toBe(status)
  })
})
