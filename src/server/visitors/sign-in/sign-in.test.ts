import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../../test/support/databases.ts'
import { CLIENT, startOidcServer } from '../../../../test/support/oidc-server.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { rejection } from '../../../contract/rejection.ts'
import { SHARED_DEVICE_MS } from '../../../contract/chat/retention.ts'
import type { Database } from '../../store/engine/database.ts'
import { findIdentity } from '../../store/visitors/identities.ts'
import { listSessions } from '../../store/sessions/sessions.ts'
import { createVisitor, findVisitorKey, type VisitorKey } from '../../store/visitors/visitors.ts'
import type { Caller } from '../resolve.ts'
import { hashOfVisitorKey } from '../visitor-key.ts'
import { SignIn } from './sign-in.ts'

const PAGE = 'https://chat.example.org'
const CALLBACK = `${PAGE}/api/v1/sign-in/callback`

describe.each(DATABASES)('signing in on %s', (kind) => {
  let oidc: Awaited<ReturnType<typeof startOidcServer>>
  let database: Database
  let remove: () => Promise<void>
  let now: number
  const warnings: string[] = []
  const revoked: string[] = []
  let signIn: SignIn
  beforeAll(async () => {
    oidc = await startOidcServer()
    oidc.register(PAGE)
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => Promise.all([oidc.close(), remove()]))
  beforeEach(() => {
    now = Date.now()
    warnings.length = 0
    revoked.length = 0
    oidc.answerWith(null)
    signIn = create()
  })

  function create(scope = 'openid'): SignIn {
    return new SignIn({
      settings: { issuer: oidc.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, scope },
      database,
      installationKey: 'k'.repeat(32),
      ledger: {
        deleteAllRecorded: async (_database, what, removeRows) => {
          const ids = await removeRows(database)
          revoked.push(...ids.map((id) => `${what} ${id}`))
          return ids.length
        },
      },
      now: () => now,
      onWarning: (message) => warnings.push(message),
    })
  }

  const callerOf = (key: VisitorKey | null): Caller => {
    const sub = key?.visitorId ?? null
    return { access: accessOf(sub, now), sub, lists: sub, agent: null, continues: true, staleCookie: false, key }
  }

  let visitors = 0
  /** A visitor without an account, who has one chat. */
  async function visitor(expiresAt: number | null = null): Promise<VisitorKey> {
    visitors += 1
    const key = { visitorId: `v_${visitors}`, keyHash: `key ${visitors}`, expiresAt }
    const newVisitor = { id: key.visitorId, keyHash: key.keyHash, ...(expiresAt !== null && { keyExpiresAt: expiresAt }) }
    await createVisitor(database, newVisitor, now)
    await storeChat(database, { id: `chat-${visitors}`, owner: key.visitorId, at: now })
    return key
  }

  async function begin(): Promise<{ address: string; attempt: string }> {
    const begun = await signIn.begin(CALLBACK)
    if (begun.kind === 'rejected') throw new Error(begun.code)
    return begun
  }

  /** Signs in as the login. */
  async function complete(login: string, from: VisitorKey | null = null) {
    const { address, attempt } = await begin()
    return signIn.complete(callerOf(from), attempt, answerOf(await oidc.signIn(address, login)))
  }
  const signedIn = async (login: string, from: VisitorKey | null = null) => {
    const outcome = await complete(login, from)
    if (outcome.kind === 'rejected') throw new Error(outcome.code)
    return outcome
  }
  const chatsOf = async (owner: string) => (await listSessions(database, accessOf(owner, now))).map(({ key }) => key)

  test('a visitor’s chats become the account’s, under a new key, and the old key opens nothing', async () => {
    const from = await visitor()
    const { visitor: account, key, device } = await signedIn('ada', from)
    expect(device).toBeUndefined()
    expect(await findVisitorKey(database, hashOfVisitorKey(key), now)).toEqual({
      visitorId: account,
      keyHash: hashOfVisitorKey(key),
      expiresAt: null,
    })
    expect(await chatsOf(account)).toEqual([`chat-${visitors}`])
    expect(await findVisitorKey(database, from.keyHash, now)).toBeUndefined()
  })

  test('the same login is the same visitor on each device, and another login is another', async () => {
    const first = await signedIn('grace')
    expect(await signedIn('grace', await visitor())).toMatchObject({ visitor: first.visitor })
    const other = await signedIn('somebody else', await visitor())
    expect(other.visitor).not.toBe(first.visitor)
    expect(await chatsOf(other.visitor)).toEqual([`chat-${visitors}`])
    expect(await chatsOf(first.visitor)).toEqual([`chat-${visitors - 1}`])
  })

  test('the database has neither the login nor the provider’s address', async () => {
    const { visitor: account } = await signedIn('a-login-to-find')
    const rows = JSON.stringify(await database.selectFrom('identities').selectAll().execute())
    expect(rows).toContain(account)
    expect(rows).not.toMatch(/a-login-to-find|127\.0\.0\.1/)
  })

  test('the name is stored only where the operator’s scope asks for it', async () => {
    expect(await findIdentity(database, (await signedIn('nameless')).visitor)).toEqual({ name: null })
    signIn = create('openid profile')
    expect(await findIdentity(database, (await signedIn('named')).visitor)).toEqual({ name: 'Name of named' })
  })

  test('on a shared computer the account’s key ends with it, and is not kept on another', async () => {
    const { key, device } = await signedIn('shared', await visitor(now + 1))
    expect(device).toBe('shared')
    expect(await findVisitorKey(database, hashOfVisitorKey(key), now)).toMatchObject({ expiresAt: now + SHARED_DEVICE_MS })
    const own = await signedIn('shared', await visitor())
    expect(await findVisitorKey(database, hashOfVisitorKey(own.key), now)).toMatchObject({ expiresAt: null })
  })

  test('an answer counts only in the browser that asked, within ten minutes, once', async () => {
    const { address, attempt } = await begin()
    const answer = answerOf(await oidc.signIn(address, 'mallory'))
    expect(await signIn.complete(callerOf(null), undefined, answer)).toEqual(rejection('sign_in_failed'))
    expect(await signIn.complete(callerOf(null), (await begin()).attempt, answer)).toEqual(rejection('sign_in_failed'))
    expect(await signIn.complete(callerOf(null), `${attempt}x`, answer)).toEqual(rejection('sign_in_failed'))
    now += 10 * 60 * 1000 + 1000
    expect(await signIn.complete(callerOf(null), attempt, answer)).toEqual(rejection('sign_in_failed'))
    now -= 10 * 60 * 1000 + 1000
    expect(await signIn.complete(callerOf(null), attempt, answer)).toMatchObject({ kind: 'signed-in' })
    expect(await signIn.complete(callerOf(null), attempt, answer)).toEqual(rejection('sign_in_failed'))
  })

  test('an unavailable provider rejects a sign-in with a warning, and none that follows', async () => {
    oidc.answerWith((_request, response) => response.writeHead(503).end())
    expect(await signIn.begin(CALLBACK)).toEqual(rejection('sign_in_unavailable'))
    expect(warnings).toHaveLength(1)
    oidc.answerWith(null)
    expect(await signIn.begin(CALLBACK)).toMatchObject({ kind: 'begun' })
    const { address, attempt } = await begin()
    const answer = answerOf(await oidc.signIn(address, 'late'))
    oidc.answerWith((_request, response) => response.writeHead(503).end())
    const from = await visitor()
    expect(await signIn.complete(callerOf(from), attempt, answer)).toEqual(rejection('sign_in_unavailable'))
    expect(await findVisitorKey(database, from.keyHash, now)).toBeDefined()
  })

  test('at most 50 sign-ins wait for the provider', async () => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
    oidc.answerWith(async (_request, response) => {
      await isAnswered
      response.writeHead(503).end()
    })
    const waiting = Array.from({ length: 50 }, () => signIn.begin(CALLBACK))
    expect(await signIn.begin(CALLBACK)).toEqual(rejection('sign_in_unavailable'))
    expect(warnings).toEqual([])
    answer()
    await Promise.all(waiting)
    expect(warnings).toHaveLength(50)
    oidc.answerWith(null)
    expect(await signIn.begin(CALLBACK)).toMatchObject({ kind: 'begun' })
  })

  test('signing out revokes the key of this device alone, for good, and names the provider’s page', async () => {
    const [here, there] = [await signedIn('leaving'), await signedIn('leaving')]
    const hash = hashOfVisitorKey(here.key)
    const own = { visitorId: here.visitor, keyHash: hash, expiresAt: null }
    const address = new URL((await signIn.end(callerOf(own), `${PAGE}/`)) ?? '')
    expect([address.origin, address.searchParams.get('post_logout_redirect_uri')]).toEqual([oidc.issuer, `${PAGE}/`])
    expect(revoked).toEqual([`device ${hash}`])
    expect(await findVisitorKey(database, hash, now)).toBeUndefined()
    expect(await findVisitorKey(database, hashOfVisitorKey(there.key), now)).toBeDefined()
    expect(await signIn.end(callerOf(null), `${PAGE}/`)).toBe(address.href)
  })

  test('signing out works while the provider is unavailable', async () => {
    const { key, visitor: account } = await signedIn('cut-off')
    signIn = create()
    oidc.answerWith((_request, response) => response.writeHead(503).end())
    const own = { visitorId: account, keyHash: hashOfVisitorKey(key), expiresAt: null }
    expect(await signIn.end(callerOf(own), `${PAGE}/`)).toBeNull()
    expect(await findVisitorKey(database, own.keyHash, now)).toBeUndefined()
  })
})

function answerOf(landing: URL) {
  const { code = '', state = '', iss } = Object.fromEntries(landing.searchParams)
  return { code, state, ...(iss !== undefined && { iss }) }
}
