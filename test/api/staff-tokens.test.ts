import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBoundToAgents, isBoundToCollection, TOKEN_SCOPES, type TokenScope } from '../../src/contract/staff/token-scopes.ts'
import type { CreatedToken, TokenList } from '../../src/contract/staff/tokens.ts'
import { DATABASES } from '../support/databases.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

/** Routes that each scope opens. Every other route rejects its tokens. */
const OPENED: Record<TokenScope, string[]> = {
  'read:figures': ['get /figures', 'get /figures.csv'],
  'read:questions': ['get /questions'],
  'read:status': ['get /status', 'get /stops', 'get /banner', 'get /limits'],
  'read:audit-log': ['get /audit', 'get /audit.csv', 'get /audit/check'],
  answer: [],
  'read:knowledge': [],
  'write:drafts': [
    'put /documents/{id}',
    'delete /documents/{id}',
    'post /approved-answers',
    'get /approved-answers/{id}',
    'delete /approved-answers/{id}',
    'post /approved-answers/{id}/draft',
    'post /approved-answers/{id}/check',
    'get /agents/{id}',
    'post /agents/{id}/cases',
    'post /agents/{id}/evaluations',
    'get /agents/{id}/evaluations/{number}',
    'delete /agents/{id}/evaluations/{number}',
  ],
  publish: [
    'put /documents/{id}',
    'delete /documents/{id}',
    'get /approved-answers/{id}',
    'post /approved-answers/{id}/publication',
    'delete /approved-answers/{id}/publication',
    'post /approved-answers/{id}/roll-back',
  ],
}
/** A collection, and an id in it, of which there is nothing. */
const NOTHING = '0'.repeat(16)
const QUERIES: Readonly<Record<string, string>> = { '/figures.csv': '?table=days' }

interface Document {
  paths: Record<string, Record<string, { operationId: string; security?: object[] }>>
}

describe.each(DATABASES)('tokens of the staff API on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: { ...WITH_CONSOLE, LOG_LEVEL: 'debug', STAFF_READING: 'all' } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(() => server.stop())

  const create = async (scopes: TokenScope[]) => {
    const agents = scopes.some(isBoundToAgents) ? ['assistant'] : []
    const collection = scopes.some(isBoundToCollection) ? NOTHING : null
    return (await owner.call<CreatedToken>('POST', 'tokens', { name: 'Monthly report', scopes, agents, collection, days: 7 })).body
  }
  const typeOf = (path: string) => (/\/(uploads|versions)$/.test(path) ? 'application/octet-stream' : 'application/json')
  const call = (method: string, path: string, token: string) =>
    fetch(`${owner.origin}/api/staff/v1${path}`, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${token}`, origin: owner.origin, ...(method === 'post' && { 'content-type': typeOf(path) }) },
      ...(method === 'post' && { body: '{}' }),
    })
  const command = (...args: string[]) => runOperatorCommand({ ...server.env, CONSOLE_PORT: new URL(owner.origin).port }, ['staff', ...args])

  /** Every operation of the document but those for people who aren't signed in. */
  async function operations(): Promise<[string, string][]> {
    const { paths } = (await (await fetch(`${owner.origin}/api/staff/openapi.json`)).json()) as Document
    const all = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method): [string, string] => [method, path]))
    return all
      .map(([method, path]): [string, string] => [
        method,
        path.replace('/api/staff/v1', '').replace('{id}', NOTHING).replace('{number}', '1'),
      ])
      .filter(([method, path]) => !path.startsWith('/session') || (method === 'get' && path === '/session'))
  }

  test.each(TOKEN_SCOPES)('a token for %s opens only what its scope names', async (scope) => {
    const { token } = await create([scope])
    const opened: string[] = []
    for (const [method, path] of await operations()) {
      const { status } = await call(method, path + (QUERIES[path] ?? ''), token)
      if (status !== 403) opened.push(isBoundToCollection(scope) ? `${method} ${path}` : `${method} ${path} ${status}`)
    }
    const expected = OPENED[scope].map((operation) => operation.replace('{id}', NOTHING).replace('{number}', '1'))
    expect(opened.toSorted()).toEqual(expected.map((operation) => (isBoundToCollection(scope) ? operation : `${operation} 200`)).toSorted())
  })

  test('is in no log, in no list and as a hash in the database', async () => {
    const { token, id } = await create(['read:figures'])
    expect((await call('get', '/figures', token)).status).toBe(200)
    const { body } = await owner.call<TokenList>('GET', 'tokens')
    expect(body.tokens.find((one) => one.id === id)).toMatchObject({ name: 'Monthly report', scopes: ['read:figures'] })
    expect(JSON.stringify(body)).not.toContain(token)
    expect(server.output()).not.toContain(token)
  })

  test('ends with its revocation', async () => {
    const revoked = await create(['read:figures'])
    expect(await owner.call('DELETE', `tokens/${revoked.id}`)).toMatchObject({ status: 200 })
    expect(await owner.call('DELETE', `tokens/${revoked.id}`)).toMatchObject({ status: 404 })
    for (const token of [revoked.token, 'parley_', `parley_${'a'.repeat(43)}`, 'a b', 'x'.repeat(500)])
      expect((await call('get', '/figures', token)).status, token).toBe(401)
  })

  test('are created, listed and revoked with a shell too, which the audit log records', async () => {
    const made = await command('token', 'nightly', '--scope', 'read:figures', '--scope', 'read:status', '--days', '3')
    expect(made.code).toBe(0)
    const [token = ''] = made.output.split('\n')
    expect((await call('get', '/status', token)).status).toBe(200)
    const listed = (await command('tokens')).output
    const id = /^([0-9a-f]{16}) .*nightly$/m.exec(listed)?.[1] ?? ''
    expect(listed).not.toContain(token)
    expect((await command('revoke', id)).code).toBe(0)
    expect((await command('revoke', id)).code).toBe(1)
    expect((await call('get', '/status', token)).status).toBe(401)
    const { body } = await owner.call<{ entries: { action: string; actor: string }[] }>('GET', 'audit')
    expect(body.entries.slice(0, 2)).toMatchObject([
      { action: 'token.revoke', actor: 'operator' },
      { action: 'token.create', actor: 'operator' },
    ])
  })

  test('are bound to a collection with a shell too, if they write', async () => {
    expect((await command('token', 'sync', '--scope', 'publish')).code).toBe(2)
    expect((await command('token', 'sync', '--scope', 'publish', '--collection', 'library', '--days', '91')).code).toBe(2)
    expect((await command('token', 'sync', '--scope', 'publish', '--collection', 'library')).code).toBe(0)
    expect((await command('tokens')).output).toMatch(/ publish library {2}sync$/m)
  })

  test('the document names each operation once', async () => {
    const { paths } = (await (await fetch(`${owner.origin}/api/staff/openapi.json`)).json()) as Document
    const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    expect(ids).toContain('inviteSomebody')
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(15)
  })
})
