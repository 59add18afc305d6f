import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRight, STAFF_ROLES } from '../../src/contract/staff/roles.ts'
import type { AuditPage, StaffList } from '../../src/contract/staff/people.ts'
import type { StaffSession } from '../../src/contract/staff/session.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { sendRaw } from '../support/raw-http.ts'
import { runSql } from '../support/run-sql.ts'
import { refusedStart, startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { STAFF_ROUTES } from '../support/staff-routes.ts'

const NOBODY = '0'.repeat(16)

const HOUR_S = 3600

describe.each(DATABASES)('the staff API on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: { ...WITH_CONSOLE, LOG_LEVEL: 'debug', STAFF_READING: 'all' } })
    owner = new StaffClient((await consoleOf(server)).origin)
  })
  afterAll(() => server.stop())

  test('lets the first owner in once, by the link that the start prints', async () => {
    const { origin, link } = await consoleOf(server)
    const { status, body, headers } = await owner.enter(link)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.any(String),
        name: 'First owner',
        role: 'owner',
        isConfirmed: true,
        isFromProvider: false,
        hasPasskey: false,
        readsChats: true,
        expiresAt: expect.any(String),
      },
    })
    expect(headers.get('set-cookie')).toMatch(/^staff=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect(await new StaffClient(origin).enter(link)).toMatchObject({ status: 410, body: { code: 'link_invalid' } })
  })

  test('lists every route in the table', async () => {
    const registered = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"A route"') && line.includes('/api/staff/'))
      .map((line) => JSON.parse(line) as { methods: string[]; url: string })
    // A route that only rejects methods is registered with several.
    const routes = registered.filter(({ methods }) => methods.length === 1 && methods[0] !== 'HEAD')
    const names = routes.map(({ methods, url }) => `${methods[0]} ${url.replace('/api/staff/v1/', '')}`)
    expect(names.toSorted()).toEqual(Object.keys(STAFF_ROUTES).toSorted())
  })

  test('lets each role call what its rights allow, and nobody else anything', async () => {
    const nobody = new StaffClient(owner.origin)
    const forged = new StaffClient(owner.origin)
    for (const [name, row] of Object.entries(STAFF_ROUTES)) {
      const [method = '', path = ''] = name.split(' ')
      const call = async (client: StaffClient) => {
        const { status, body } = await client.call<{ code?: string } | null>(method, row.path ?? path, row.body)
        return { name, status, code: status < 400 ? undefined : body?.code }
      }
      for (const client of [nobody, forged]) {
        client.cookie = client === forged ? `staff=${'A'.repeat(43)}` : null
        const reply = await call(client)
        expect(reply).toMatchObject(row.for === 'anybody' ? { status: row.gives } : { name, status: 401, code: 'sign_in_required' })
      }
      for (const role of STAFF_ROLES) {
        const isAllowed = row.for === 'anybody' || row.for === 'signed-in' || hasRight(role, row.for)
        const expected = isAllowed ? { status: row.gives } : { status: 403, code: 'role_insufficient' }
        expect({ role, ...(await call(await owner.colleague(role))) }).toMatchObject({ role, name, ...expected })
      }
    }
  })

  test('rejects writes that do not come from its page, and reads of other sites', async () => {
    const stop = { scope: 'file', target: 'b.md', reason: 'test' }
    const elsewhere = ['https://evil.example', server.url, 'null', owner.origin.replace('http:', 'https:')]
    for (const origin of elsewhere) {
      expect(await owner.call('POST', 'stops', stop, { origin })).toMatchObject({ status: 403 })
      expect(await owner.call('DELETE', `staff/${NOBODY}`, undefined, { origin })).toMatchObject({ status: 403 })
    }
    const { status } = await fetch(`${owner.origin}/api/staff/v1/stops`, {
      method: 'POST',
      headers: { cookie: owner.cookie ?? '', 'content-type': 'application/json' },
      body: JSON.stringify(stop),
    })
    expect(status).toBe(403)
    for (const site of ['same-site', 'cross-site'])
      expect(await owner.call('GET', 'session', undefined, { 'sec-fetch-site': site })).toMatchObject({ status: 403 })
    expect(await owner.call('GET', 'session', undefined, { 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 })
    expect((await owner.call<{ stops: { target: string }[] }>('GET', 'stops')).body.stops.map(({ target }) => target)).not.toContain('b.md')
  })

  test('answers only under its own host name and port', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'localhost:1', 'console.example.org', new URL(server.url).host])
      expect(await rawGet(owner.origin, host)).toBe(421)
    expect(await rawGet(owner.origin, new URL(owner.origin).host)).toBe(401)
  })

  test('is not on the listener for visitors, which ignores the cookie of staff', async () => {
    const headers = { cookie: owner.cookie ?? '' }
    expect((await fetch(`${server.url}/api/staff/v1/session`, { headers })).status).toBe(404)
    const [plain, asStaff] = await Promise.all([sendPrompt(server.url, 'me', 'Hello'), sendPrompt(server.url, 'me', 'Hello', { headers })])
    expect(asStaff.status).toBe(plain.status)
    expect(server.output()).not.toContain(owner.cookie?.split('=')[1])
    expect((await fetch(`${owner.origin}/api/v1/config`)).status).toBe(404)
  })

  test('rejects unknown fields, wrong types and huge bodies', async () => {
    const bodies = [
      { scope: 'topic', reason: 'x' },
      { scope: 'all', target: 'x', reason: 'x' },
      { scope: 'all', reason: ' ' },
      { scope: 'all', reason: 'x', more: 1 },
    ]
    for (const body of bodies)
      expect(await owner.call('POST', 'stops', body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(await owner.call('POST', 'session/link', { link: 'x'.repeat(200_000) })).toMatchObject({ status: 400 })
    for (const before of ['-1', '', '1e3', '9'.repeat(10)])
      expect(await owner.call('GET', `audit?before=${before}`)).toMatchObject({ status: 400 })
    expect(await owner.call('GET', `audit?before=${'9'.repeat(9)}`)).toMatchObject({ status: 200 })
  })

  test('ends a session with signing out and with the removal of its person', async () => {
    const [left, removed] = [await owner.colleague('editor'), await owner.colleague('viewer')]
    const cookie = left.cookie
    expect(await left.call('DELETE', 'session')).toMatchObject({ status: 200 })
    left.cookie = cookie
    expect(await left.call('GET', 'session')).toMatchObject({ status: 401 })
    const { body } = await removed.call<StaffSession>('GET', 'session')
    expect(await owner.call('DELETE', `staff/${body.id}`)).toMatchObject({ status: 200 })
    expect(await removed.call('GET', 'session')).toMatchObject({ status: 401 })
  })

  test('invites nobody by a name that others have, or that shows nothing', async () => {
    const invite = (name: string) => owner.call<{ code?: string; url?: string }>('POST', 'staff/invitations', { name, role: 'viewer' })
    for (const name of ['First owner', ' SERVER\u200b Administrator', 'Ope\u202erator'])
      expect(await invite(name)).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    for (const name of ['\u200b', '\0', '\u202e \u3164']) expect(await invite(name)).toMatchObject({ status: 400 })
    const guest = new StaffClient(owner.origin)
    const { body } = await invite('Jose\u0301\u202e\n evil')
    expect(await guest.enter(body.url?.split('/').at(-1) ?? '')).toMatchObject({ body: { name: 'Jos\u00e9 evil' } })
    expect(await invite('jose EVIL')).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  })

  test('lets people change their own name, but to none that others have', async () => {
    const [editor, viewer] = [await owner.colleague('editor'), await owner.colleague('viewer')]
    const rename = (name: string) => editor.call<StaffSession & { code?: string }>('POST', 'session/name', { name })
    expect(await rename(' Grace\u200b  Hopper ')).toMatchObject({ status: 200, body: { name: 'Grace Hopper', role: 'editor' } })
    expect((await editor.call<StaffSession>('GET', 'session')).body.name).toBe('Grace Hopper')
    expect(await rename('grace hopper')).toMatchObject({ status: 200 })
    const { body: other } = await viewer.call<StaffSession>('GET', 'session')
    for (const name of [other.name, 'First owner', 'OPERATOR'])
      expect(await rename(name)).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    expect(await rename('\u200b')).toMatchObject({ status: 400 })
    const { body } = await owner.call<AuditPage>('GET', 'audit?area=staff')
    expect(body.entries[0]).toMatchObject({ action: 'staff.rename', actorName: 'grace hopper' })
  })

  test('keeps the last owner, also when two owners remove each other at once', async () => {
    const { body } = await owner.call<StaffList>('GET', 'staff')
    const { body: me } = await owner.call<StaffSession>('GET', 'session')
    for (const { id, role } of body.staff) if (role === 'owner' && id !== me.id) await owner.call('DELETE', `staff/${id}`)
    expect(await owner.call('DELETE', `staff/${me.id}`)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    const other = await owner.colleague('owner')
    const { body: second } = await other.call<StaffSession>('GET', 'session')
    const replies = await Promise.all([owner.call('DELETE', `staff/${second.id}`), other.call('DELETE', `staff/${me.id}`)])
    const left = replies[0].status === 200 ? owner : other
    expect((await left.call<StaffList>('GET', 'staff')).body.staff.filter(({ role }) => role === 'owner')).toHaveLength(1)
    owner = left
  })

  test('lets those in whom the operator invites on the command line, with that role', async () => {
    const env = { ...server.env, CONSOLE_PORT: new URL(owner.origin).port }
    const { code, output } = await runOperatorCommand(env, ['staff', 'invite', 'ada@example.org', '--role', 'reviewer', '--hours', '1'])
    const [, link = ''] = /#\/enter\/(\S+)/.exec(output) ?? []
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(`${owner.origin}/#/enter/`) })
    expect(await new StaffClient(owner.origin).enter(link)).toMatchObject({
      status: 200,
      body: { name: 'ada@example.org', role: 'reviewer' },
    })
    const mistakes = [
      ['invite'],
      ['invite', 'ada'],
      ['invite', 'ada', '--role', 'god'],
      ['invite', 'ada', '--role', 'owner', '--hours', '0'],
    ]
    for (const args of [...mistakes, ['invite', 'ada', 'eve', '--role', 'owner'], ['remove']])
      expect(await runOperatorCommand(env, ['staff', ...args])).toMatchObject({
        code: 2,
        output: expect.stringContaining('parley staff invite'),
      })
  })

  describe('passkeys', () => {
    let person: StaffClient
    const fresh = async () => {
      const client = await owner.colleague('editor')
      await client.addPasskey()
      return client
    }
    beforeAll(async () => {
      person = await fresh()
    })
    const signInAs = async (
      client: StaffClient,
      change: (ceremony: { challenge: string; origin: string }) => { challenge: string; origin: string },
    ) => {
      const { body } = await client.call<{ challenge: string }>('POST', 'session/passkey/options', {})
      const assertion = client.authenticator.signIn(change({ challenge: body.challenge, origin: client.origin }))
      return client.call('POST', 'session/passkey', { assertion })
    }

    test('sign their person in', async () => {
      const { body: before } = await person.call<StaffSession>('GET', 'session')
      person.cookie = null
      expect(await person.signIn()).toMatchObject({
        status: 200,
        body: { id: before.id, role: 'editor', hasPasskey: true, isConfirmed: true },
      })
    })

    test.each([
      ['a challenge of nobody', (ceremony: { challenge: string; origin: string }) => ({ ...ceremony, challenge: 'A'.repeat(43) })],
      ['another origin of the same host', (ceremony) => ({ ...ceremony, origin: 'http://localhost:1' })],
      ['another host', (ceremony) => ({ ...ceremony, origin: 'http://evil.example' })],
    ] as [string, (ceremony: { challenge: string; origin: string }) => { challenge: string; origin: string }][])(
      'do not sign in with %s',
      async (_, change) => {
        const client = await fresh()
        client.cookie = null
        expect(await signInAs(client, change)).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } })
      },
    )

    test('do not sign in with a challenge twice, a copied counter, an unverified user or after their removal', async () => {
      const client = await fresh()
      const { body } = await client.call<{ challenge: string }>('POST', 'session/passkey/options', {})
      const assertion = client.authenticator.signIn({ ...body, origin: client.origin })
      expect(await client.call('POST', 'session/passkey', { assertion })).toMatchObject({ status: 200 })
      expect(await client.call('POST', 'session/passkey', { assertion })).toMatchObject({ status: 401 })
      client.authenticator.counter -= 1
      expect(await client.signIn()).toMatchObject({ status: 401 })
      client.authenticator.isUserVerified = false
      expect(await client.signIn()).toMatchObject({ status: 401 })
      client.authenticator.isUserVerified = true
      expect(await client.signIn()).toMatchObject({ status: 200 })
      expect(await client.call('DELETE', `passkeys/${client.authenticator.id}`)).toMatchObject({ status: 200 })
      expect(await client.signIn()).toMatchObject({ status: 401 })
    })

    test('of others cannot be removed or taken over', async () => {
      const other = await owner.colleague('owner')
      expect(await other.call('DELETE', `passkeys/${person.authenticator.id}`)).toMatchObject({ status: 404 })
      const { body } = await other.call<{ challenge: string }>('POST', 'passkeys/options', {})
      const registration = person.authenticator.register({ ...body, origin: person.origin })
      expect(await other.call('POST', 'passkeys', { name: 'Taken', registration })).toMatchObject({ status: 409 })
      const stolen = new StaffClient(owner.origin)
      const options = await person.call<{ challenge: string }>('POST', 'passkeys/options', {})
      stolen.cookie = other.cookie
      const forged = stolen.authenticator.register({ ...options.body, origin: stolen.origin })
      expect(await stolen.call('POST', 'passkeys', { name: 'Forged', registration: forged })).toMatchObject({ status: 401 })
      await other.call('DELETE', `staff/${(await other.call<StaffSession>('GET', 'session')).body.id}`)
    })
  })

  test('asks for a confirmation of sensitive actions after 15 minutes, and ends sessions after 12 hours', async () => {
    const person = await owner.colleague('editor')
    await person.addPasskey()
    const { body } = await person.call<StaffSession>('GET', 'session')
    expect(body.isConfirmed).toBe(true)
    await age(server, 16 * 60)
    const stop = () => person.call('POST', 'stops', { scope: 'file', target: 'c.md', reason: 'test' })
    expect(await stop()).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
    const before = person.cookie
    expect(await person.signIn()).toMatchObject({ status: 200 })
    expect(person.cookie).toBe(before)
    expect(await stop()).toMatchObject({ status: 200 })
    await age(server, 12 * HOUR_S)
    expect(await person.call('GET', 'session')).toMatchObject({ status: 401 })
  })
})

test('a console without its own port keeps no server from starting, and says so', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const refused = await refusedStart({ database: 'sqlite', env: { CONSOLE_PORT: String(port) } })
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining(`The console cannot listen on port ${port} (EADDRINUSE): change CONSOLE_PORT`),
  })
  taken.close()
  // Another process may have this port already.
  const standard = createServer()
    .on('error', () => undefined)
    .listen(3001, '127.0.0.1')
  await Promise.race([once(standard, 'listening'), once(standard, 'error')])
  const server = await startServer({ database: 'sqlite', env: { CONSOLE_PORT: undefined, PORT: String(await freePort()) } })
  await eventually(() => expect(server.output()).toMatch(/There is no staff console, because port 3001 cannot be used/))
  await server.stop()
  standard.close()
})

/** The status of a read under another name. */
async function rawGet(origin: string, host: string): Promise<number> {
  const { status } = await sendRaw(origin, [`GET /api/staff/v1/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`])
  return status
}

/** Makes all sessions older. */
function age(server: TestServer, seconds: number): Promise<void> {
  const ms = seconds * 1000
  return runSql(server, `UPDATE staff_sessions SET confirmed_at = confirmed_at - ${ms}, expires_at = expires_at - ${ms}`)
}
