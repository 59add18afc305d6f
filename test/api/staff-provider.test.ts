import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignInAnswer, SignInBegun } from '../../src/contract/sign-in.ts'
import type { StaffList } from '../../src/contract/staff/people.ts'
import type { StaffSession } from '../../src/contract/staff/session.ts'
import { DATABASES } from '../support/databases.ts'
import { answerOf } from '../support/device.ts'
import { CLIENT, startOidcServer } from '../support/oidc-server.ts'
import { refusedStart, startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, type StaffReply, WITH_CONSOLE } from '../support/staff-client.ts'

describe.each(DATABASES)('staff who sign in with a provider, on %s', (database) => {
  let oidc: Awaited<ReturnType<typeof startOidcServer>>
  let server: TestServer
  let origin: string
  beforeAll(async () => {
    oidc = await startOidcServer()
    server = await startServer({
      database,
      env: {
        ...WITH_CONSOLE,
        STAFF_OIDC_ISSUER: oidc.issuer,
        STAFF_OIDC_CLIENT_ID: CLIENT.id,
        STAFF_OIDC_CLIENT_SECRET: CLIENT.secret,
        STAFF_OIDC_ROLES: 'chat-admins=owner, press office=editor, everybody=viewer',
        LOG_LEVEL: 'debug',
      },
    })
    ;({ origin } = await consoleOf(server))
  })
  afterAll(async () => {
    await server.stop()
    await oidc.close()
  })

  const begin = async (client: StaffClient) => (await client.call<SignInBegun>('POST', 'session/provider', {})).body.address
  const complete = (client: StaffClient, answer: SignInAnswer) => client.call<StaffSession>('POST', 'session/provider/answer', answer)
  async function signIn(login: string, client = new StaffClient(origin)): Promise<StaffReply<StaffSession> & { client: StaffClient }> {
    const landing = await oidc.signIn(await begin(client), login)
    expect(`${landing.origin}${landing.pathname}`).toBe(`${origin}/`)
    return { ...(await complete(client, answerOf(landing))), client }
  }

  test('an unavailable provider is said, and leaves passkeys', async () => {
    const client = new StaffClient(origin)
    expect(await client.call('POST', 'session/provider', {})).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
    expect(await client.call('GET', 'session/options')).toMatchObject({ body: { provider: true } })
    oidc.register(origin, { redirect_uris: [`${origin}/`] })
    const address = new URL(await begin(client))
    expect(address.origin).toBe(oidc.issuer)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      max_age: '900',
      scope: 'openid profile',
    })
  })

  test('have the highest role that the provider gives, and need no passkey', async () => {
    oidc.roles.set('ada', ['everybody', 'press office', 'another'])
    const { status, body, client } = await signIn('ada')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { name: 'Name of ada', role: 'editor', isFromProvider: true, isConfirmed: true, hasPasskey: false },
    })
    expect(client.attempt).toBeNull()
    expect(await client.call('GET', 'questions')).toMatchObject({ status: 200 })
    expect(await client.call('GET', 'staff')).toMatchObject({ status: 403 })
    expect(await client.call('POST', 'passkeys/options', {})).toMatchObject({ status: 409, body: { code: 'provider_decides' } })
    expect(await client.call('POST', 'stops', { scope: 'file', target: 'a.md', reason: 'test' })).toMatchObject({ status: 200 })
  })

  test('are the same person with each sign-in, with the role that the provider gives then', async () => {
    oidc.roles.set('grace', ['everybody'])
    const first = await signIn('grace')
    oidc.roles.set('grace', ['chat-admins'])
    const second = await signIn('grace')
    expect(second.body).toMatchObject({ id: first.body.id, role: 'owner' })
    expect(await first.client.call('GET', 'staff')).toMatchObject({ status: 200 })
    const { body } = await second.client.call<StaffList>('GET', 'staff')
    expect(body.staff.filter(({ id }) => id === first.body.id)).toMatchObject([{ isFromProvider: true }])
    oidc.roles.set('grace', ['another'])
    const third = await signIn('grace')
    expect(third).toMatchObject({ status: 403, body: { code: 'no_role' } })
    for (const { client } of [first, second, third]) expect(await client.call('GET', 'session')).toMatchObject({ status: 401 })
  })

  test('somebody without a role gets nothing, and nobody learns who it was', async () => {
    const { status, client } = await signIn('mallory')
    expect(status).toBe(403)
    expect(client.cookie).toBeNull()
    expect(server.output()).not.toContain('mallory')
  })

  test('an answer works once, in the browser that began', async () => {
    oidc.roles.set('ada', ['everybody'])
    const [ada, eve] = [new StaffClient(origin), new StaffClient(origin)]
    const answer = answerOf(await oidc.signIn(await begin(ada), 'ada'))
    await begin(eve)
    expect(await complete(eve, answer)).toMatchObject({ status: 401, body: { code: 'provider_failed' } })
    const { attempt } = ada
    expect(await complete(ada, { ...answer, state: 'another' })).toMatchObject({ status: 401 })
    ada.attempt = attempt
    expect(await complete(ada, answer)).toMatchObject({ status: 200 })
    ada.attempt = attempt
    expect(await complete(ada, answer)).toMatchObject({ status: 401 })
    expect(server.output()).not.toContain(answer.code)
  })

  test('an ID token that does not say when the credentials were asked for is not accepted', async () => {
    const client = new StaffClient(origin)
    const landing = await oidc.signIn(await begin(client), 'ada')
    const claims = { iss: oidc.issuer, sub: 'ada', aud: CLIENT.id, roles: ['chat-admins'], exp: 4e9, iat: 1 }
    const token = [{ alg: 'none' }, claims, '']
      .map((part) => (part === '' ? '' : Buffer.from(JSON.stringify(part)).toString('base64url')))
      .join('.')
    oidc.answerTokenWith({ access_token: 'a', token_type: 'Bearer', id_token: token })
    expect(await complete(client, answerOf(landing))).toMatchObject({ status: 401 })
    oidc.answerTokenWith(null)
  })
})

test.each([
  [{ STAFF_OIDC_CLIENT_ID: 'a' }, 'STAFF_OIDC_CLIENT_ID needs STAFF_OIDC_ISSUER'],
  [{ STAFF_OIDC_ISSUER: 'https://login.example.org' }, 'STAFF_OIDC_CLIENT_ID is missing'],
  [{ STAFF_OIDC_ISSUER: 'http://login.example.org', STAFF_OIDC_CLIENT_ID: 'a' }, 'STAFF_OIDC_ISSUER must be https'],
  [{ STAFF_OIDC_ROLES: 'admins=god' }, 'STAFF_OIDC_ROLES must be like'],
])('the start names what is wrong in %j', async (env, sentence) => {
  expect((await refusedStart({ database: 'sqlite', env })).output).toContain(sentence)
})
