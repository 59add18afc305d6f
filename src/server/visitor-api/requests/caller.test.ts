import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { rejection } from '../../../contract/rejection.ts'
import type { Caller, Credentials } from '../../visitors/resolve.ts'
import { resolveCallers } from './caller.ts'
import { handleError } from '../../platform/problems.ts'

const NOW = Date.UTC(2026, 10, 23)
let app: FastifyInstance | undefined
afterEach(() => app?.close())

/** `token nobody` owns nothing, `token wrong` is rejected, any other caller owns `owner-<id>`. */
async function resolve({ authorization }: Credentials, id = 'me') {
  if (authorization === 'token wrong') return rejection('unauthorized')
  const owner = authorization === 'token nobody' ? null : `owner-${id}`
  const access = { owner, credential: true, now: NOW, retentionMs: 1 }
  const caller: Caller = { access, sub: owner, lists: owner, agent: null, continues: true, staleCookie: false, key: null }
  return { kind: 'resolved' as const, caller }
}

function serve(): FastifyInstance {
  app = fastify()
  app.setErrorHandler(handleError)
  app.decorateReply('openStream', null)
  app.decorate('storageOutage', null)
  resolveCallers(app, resolve)
  app.get('/credential', { config: { caller: 'credential' } }, async (request) => ({ owner: request.caller.access.owner }))
  app.get('/path/:id', { config: { caller: 'path' } }, async (request) => ({ owner: request.caller.access.owner }))
  app.get('/query', { config: { caller: 'query' } }, async (request) => ({ owner: request.caller.access.owner }))
  app.get('/owned', { config: { caller: 'credential', needsOwner: true } }, async (request) => ({ owner: request.owner }))
  app.get('/unchecked', { config: { caller: 'credential' } }, async (request) => ({ owner: request.owner }))
  app.get('/none', async (request) => ({ owner: request.caller.access.owner }))
  return app
}

async function get(url: string, authorization = 'token a'): Promise<[status: number, ownerOrCode: string | null]> {
  const reply = await serve().inject({ url, headers: { authorization } })
  const { owner, code } = reply.json<{ owner?: string | null; code?: string }>()
  return [reply.statusCode, code ?? owner ?? null]
}

test.each([
  ['the credential alone', '/credential?id=b', 'owner-me'],
  ['the id of the path', '/path/b?id=c', 'owner-b'],
  ['the id of the query', '/query?id=b', 'owner-b'],
])('identifies the caller by %s', async (_, url, owner) => {
  expect(await get(url)).toEqual([200, owner])
})

test('rejects a caller that the resolver rejects, before the handler', async () => {
  expect(await get('/credential', 'token wrong')).toEqual([401, 'unauthorized'])
})

test('rejects a caller without data only where the route needs an owner', async () => {
  expect(await get('/owned')).toEqual([200, 'owner-me'])
  expect(await get('/owned', 'token nobody')).toEqual([404, 'not_found'])
  expect(await get('/credential', 'token nobody')).toEqual([200, null])
})

test('fails a route that reads a caller or an owner without declaring it', async () => {
  expect(await get('/none')).toEqual([500, 'internal'])
  expect(await get('/unchecked', 'token nobody')).toEqual([500, 'internal'])
})
