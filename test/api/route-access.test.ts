import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** A visitor with one chat, and data that would reveal it. */
interface Owner {
  cookie: string
  sub: string
  session: string
  turn: string
  /** Id of the answer. */
  message: string
  file: string
  prompt: string
}

/** Allowed replies to the owner, another visitor and a caller without a credential. */
type Row = { path?: (of: Names) => string; body?: object | string | ((of: Names) => object) } & (
  | { gives: 'the same to all' }
  /** Returns the caller's own data, never the owner's to others. */
  | { gives: 'own things'; shows?: (owner: Owner) => string }
  /** Returns something created for the caller, or nothing. */
  | { gives: 'something of the moment' }
  /** Affects only the caller's own data. Same status for all callers. */
  | { gives: 'no more than its effect'; status: number }
  /** This status for the owner. Others get the same bytes as for a missing resource. */
  | { gives: 'only to the owner'; status: number }
  /** As above, but others get something new, which differs each time. */
  | { gives: 'something new to others'; ownsIt: (reply: string, owner: Owner) => boolean }
)

type Names = Pick<Owner, 'session' | 'turn' | 'message' | 'sub' | 'file'>

/** Ids that don't exist. */
const UNKNOWN: Names = {
  session: 'A'.repeat(21),
  turn: `t_${'A'.repeat(21)}`,
  file: `f_${'A'.repeat(21)}`,
  message: `m_${'A'.repeat(21)}`,
  sub: `v_${'a'.repeat(26)}`,
}
const TO_ALL: Row = { gives: 'the same to all' }

/** Every route of the server; a missing one fails the test. HEAD behaves like GET. */
const ROUTES: Record<string, Row> = {
  'GET /api/v1/agent/chat/:id': { gives: 'own things', path: ({ sub }) => `/api/v1/agent/chat/${sub}` },
  'POST /api/v1/agent/chat/:id': {
    gives: 'something new to others',
    path: ({ session }) => `/api/v1/agent/chat/me?session_id=${session}`,
    body: { prompt: 'And then?' },
    ownsIt: (reply, { session }) => reply.includes(session),
  },
  'GET /api/v1/sessions': { gives: 'own things' },
  'GET /api/v1/sessions/:key': { gives: 'only to the owner', status: 200, path: ({ session }) => `/api/v1/sessions/${session}` },
  'GET /api/v1/search': { gives: 'own things', path: () => '/api/v1/search?q=what' },
  'GET /api/v1/sessions/:key/messages': {
    gives: 'only to the owner',
    status: 200,
    path: ({ session }) => `/api/v1/sessions/${session}/messages`,
  },
  'POST /api/v1/sessions/:key/regenerate': {
    gives: 'only to the owner',
    status: 200,
    path: ({ session }) => `/api/v1/sessions/${session}/regenerate`,
    body: ({ message }) => ({ message }),
  },
  'POST /api/v1/sessions/:key/branch': {
    gives: 'only to the owner',
    status: 200,
    path: ({ session }) => `/api/v1/sessions/${session}/branch`,
    body: ({ message }) => ({ message }),
  },
  'POST /api/v1/sessions/:key/feedback': {
    gives: 'only to the owner',
    status: 200,
    path: ({ session }) => `/api/v1/sessions/${session}/feedback`,
    body: ({ message }) => ({ message, thumb: 'up' }),
  },
  'POST /api/v1/sessions/:key/reports': {
    gives: 'only to the owner',
    status: 200,
    path: ({ session }) => `/api/v1/sessions/${session}/reports`,
    body: ({ message }) => ({ message, scope: 'rating' }),
  },
  'GET /api/v1/me/reports': { gives: 'something of the moment' },
  // A missing report. Whose reports can be withdrawn is tested in reports.test.ts.
  'DELETE /api/v1/reports/:report': { ...TO_ALL, path: () => '/api/v1/reports/0000000000000000' },
  'DELETE /api/v1/sessions': { gives: 'no more than its effect', status: 200 },
  'DELETE /api/v1/sessions/:key': { gives: 'only to the owner', status: 200, path: ({ session }) => `/api/v1/sessions/${session}` },
  'DELETE /api/v1/me': { gives: 'no more than its effect', status: 200 },
  'GET /.well-known/parley-receipts.json': TO_ALL,
  'GET /api/v1/me/events': { gives: 'something of the moment' },
  'GET /api/v1/me': { gives: 'own things' },
  'GET /api/v1/turns/:turn': { gives: 'only to the owner', status: 200, path: ({ turn }) => `/api/v1/turns/${turn}` },
  'GET /api/v1/turns/:turn/stream': { gives: 'only to the owner', status: 200, path: ({ turn }) => `/api/v1/turns/${turn}/stream` },
  'POST /api/v1/turns/:turn/stop': { gives: 'only to the owner', status: 200, path: ({ turn }) => `/api/v1/turns/${turn}/stop`, body: {} },
  'POST /api/v1/turns/:turn/retry': { gives: 'only to the owner', status: 409, path: ({ turn }) => `/api/v1/turns/${turn}/retry`, body: {} },
  'GET /api/v1/me/export': { gives: 'own things', shows: ({ prompt }) => prompt.replaceAll(/\W+/g, ' ').trim() },
  'GET /api/v1/sessions/:key/export': { gives: 'only to the owner', status: 200, path: ({ session }) => `/api/v1/sessions/${session}/export` },
  'POST /api/v1/files': { gives: 'something of the moment', path: () => '/api/v1/files?name=b.txt', body: 'Another file' },
  'GET /api/v1/files/:file': { gives: 'only to the owner', status: 200, path: ({ file }) => `/api/v1/files/${file}` },
  'DELETE /api/v1/files/:file': { gives: 'only to the owner', status: 200, path: ({ file }) => `/api/v1/files/${file}` },
  'GET /api/v1/turns/:turn/events': { gives: 'only to the owner', status: 200, path: ({ turn }) => `/api/v1/turns/${turn}/events?wait=0` },
  'POST /api/v1/turns/:turn/continue': {
    gives: 'only to the owner',
    status: 409,
    path: ({ turn }) => `/api/v1/turns/${turn}/continue`,
    body: {},
  },
  'POST /api/v1/turns/:turn/approve': {
    gives: 'only to the owner',
    status: 409,
    path: ({ turn }) => `/api/v1/turns/${turn}/approve`,
    body: { decisions: [{ id: 'ap_none', approved: true, signature: 'none' }] },
  },
  'GET /api/v1/me/data': { gives: 'own things' },
  'DELETE /api/v1/me/accepted-notices': { gives: 'no more than its effect', status: 200 },
  'POST /api/v1/me/transfer': { gives: 'something of the moment', body: {} },
  'POST /api/v1/transfer': { ...TO_ALL, body: { code: 'no-such-code' } },
  'DELETE /api/v1/me/device': { gives: 'something of the moment' },
  'DELETE /api/v1/me/devices': { gives: 'something of the moment' },
  'GET /api/v1/config': TO_ALL,
  'GET /api/v1/logo': TO_ALL,
  'GET /manifest.webmanifest': TO_ALL,
  'GET /embed-settings.js': TO_ALL,
  'GET /api/v1/privacy-notice': TO_ALL,
  'GET /api/openapi.json': TO_ALL,
  'GET /healthz': TO_ALL,
  'GET /doctor': TO_ALL,
  'GET /readyz': TO_ALL,
  // For programs: no visitor's credential opens them.
  'GET /v1/models': TO_ALL,
  'GET /v1/models/:model': { ...TO_ALL, path: () => '/v1/models/assistant' },
  'POST /v1/chat/completions': { ...TO_ALL, body: { model: 'assistant', messages: [{ role: 'user', content: 'Hello' }] } },
  'POST /v1/responses': { ...TO_ALL, body: { model: 'assistant', input: 'Hello' } },
  'POST /mcp': { ...TO_ALL, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  'GET /': TO_ALL,
  'GET /*': { ...TO_ALL, path: () => '/favicon.svg' },
  'GET /api/docs': TO_ALL,
  'GET /api/docs/': TO_ALL,
  'GET /api/docs/json': TO_ALL,
  'GET /api/docs/yaml': TO_ALL,
  'GET /api/docs/static/index.html': TO_ALL,
  'GET /api/docs/static/swagger-initializer.js': TO_ALL,
  'GET /api/docs/static/theme/trusted-types.js': TO_ALL,
  'GET /api/docs/static/*': { ...TO_ALL, path: () => '/api/docs/static/swagger-ui.css' },
} // biome-ignore format: one route a line where it fits

interface Reply {
  status: number
  headers: string
  body: string
}

/** Replies to the owner, to others, and to others for a missing resource. */
interface Heard {
  method: string
  owner: Owner
  own: Reply
  strangers: Reply[]
  unknown: Reply[]
}

/** Differences between the replies and the row. */
function faultsOf(row: Row, { method, owner, own, strangers, unknown }: Heard): string[] {
  const faults: [boolean, string][] = []
  const [statuses, statusesOfUnknown] = [strangers, unknown].map((replies) => replies.map(({ status }) => status))
  switch (row.gives) {
    case 'the same to all':
      faults.push([!strangers.every((reply) => isSame(reply, own)), 'differs by who asks'])
      break
    case 'no more than its effect':
      faults.push([[own, ...strangers].some(({ status }) => status !== row.status), `answers with ${own.status}, ${statuses?.join()}`])
      break
    case 'own things':
      faults.push([own.status !== 200, `answers its owner with ${own.status}`])
      faults.push([method !== 'HEAD' && !showsOwn(own.body, row, owner), 'gives the owner nothing'])
      break
    case 'something of the moment':
      faults.push([own.status !== 200, `answers its owner with ${own.status}`])
      break
    case 'only to the owner':
      faults.push([own.status !== row.status, `answers its owner with ${own.status}`])
      faults.push([!statuses?.every((status) => status === 404), `answers others with ${statuses?.join()}`])
      faults.push([!strangers.every((reply, index) => isSame(reply, unknown[index])), 'tells what exists'])
      break
    case 'something new to others':
      faults.push([!row.ownsIt(own.body, owner), 'gives the owner something new'])
      faults.push([strangers.some(({ body }) => row.ownsIt(body, owner)), 'gives others what is the owner’s'])
      faults.push([statuses?.join() !== statusesOfUnknown?.join(), 'tells what exists'])
      break
  }
  return faults.filter(([isFault]) => isFault).map(([, fault]) => fault)
}

function showsOwn(body: string, { shows }: Extract<Row, { gives: 'own things' }>, owner: Owner): boolean {
  const marks = shows ? [shows(owner)] : [owner.session, owner.sub]
  return marks.some((mark) => body.includes(mark))
}

function isSame(reply: Reply, other: Reply | undefined): boolean {
  return JSON.stringify(reply) === JSON.stringify(other)
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

describe.each(DATABASES)('routes on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({
      database,
      env: {
        LOG_LEVEL: 'debug',
        PROOF_OF_WORK: 'auto',
        STAFF_READING: 'all',
      },
    })
  })
  afterAll(() => server.stop())

  let made = 0
  async function newOwner(): Promise<Owner> {
    const prompt = `What is ${(made += 1)} + 40?`
    const response = await sendPrompt(server.url, 'me', prompt)
    const cookie = cookieOf(response)
    const { session_id: session } = (await response.json()) as { session_id: string }
    // After first use with the credential, the id alone no longer opens the session.
    const detail = JSON.parse((await ask('GET', `/api/v1/sessions/${session}`, cookie)).body) as {
      messages: { id: string; metadata: { turnId: string } }[]
    }
    const { visitor } = JSON.parse((await ask('GET', '/api/v1/me', cookie)).body) as { visitor: { sub: string } }
    const { id: file } = JSON.parse((await ask('POST', '/api/v1/files?name=a.txt', cookie, 'A file')).body) as { id: string }
    return {
      cookie,
      session,
      file,
      prompt,
      sub: visitor.sub,
      turn: detail.messages[1]?.metadata.turnId ?? '',
      message: detail.messages[1]?.id ?? '',
    }
  }

  async function ask(method: string, path: string, cookie: string | null, body?: object | string): Promise<Reply> {
    const response = await fetch(server.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie !== null && { cookie }),
        ...(body && { 'content-type': typeof body === 'string' ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    // Two count seconds, and one is each reply's own.
    const headers = [...response.headers]
      .filter(([name]) => name !== 'date' && name !== 'x-request-id')
      .map(([name, value]) => `${name}: ${name === 'ratelimit' ? value.replaceAll(/;t=\d+/g, '') : value}`)
      .join('\n')
    // Endless streams: the first bytes suffice.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    return { status: response.status, headers, body: isStream ? await firstOf(response) : await response.text() }
  }

  async function firstOf({ body }: Response): Promise<string> {
    const reader = body?.getReader()
    const first = await reader?.read()
    await reader?.cancel()
    return Buffer.from(first?.value ?? []).toString()
  }

  const chatOf = (owner: Owner) => ask('GET', `/api/v1/sessions/${owner.session}`, owner.cookie)

  /** Expects none of the owner's data in the reply. */
  function expectNothingOf(owner: Owner, { headers, body }: Reply): void {
    for (const mark of [owner.session, owner.turn, owner.message, owner.sub, owner.file, owner.prompt])
      expect(headers + body).not.toContain(mark)
  }

  async function expectRow(method: string, path: string, row: Row): Promise<void> {
    const [owner, other] = [await newOwner(), await newOwner()]
    const before = await chatOf(owner)
    const pathOf = row.path ?? (() => path)
    const bodyOf = (names: Names) => (typeof row.body === 'function' ? row.body(names) : row.body)
    const call = (cookie: string | null, names: Names = owner) => ask(method, pathOf(names), cookie, bodyOf(names))
    const strangers = [await call(null), await call(other.cookie)]
    for (const reply of strangers) expectNothingOf(owner, reply)
    // One id per row, because callers without a credential are counted by session.
    const nobodys = { ...UNKNOWN, session: String(made).padStart(UNKNOWN.session.length, 'A') }
    const unknown = [await call(null, nobodys), await call(other.cookie, nobodys)]
    expect(await chatOf(owner)).toEqual(before)
    const own = await call(owner.cookie)
    expect(faultsOf(row, { method, owner, own, strangers, unknown })).toEqual([])
  }

  let known: Promise<[method: string, url: string][]> | undefined
  const routesOfServer = () => (known ??= readRoutes())

  /** Methods and paths of all routes as registered, without those that only reject a method. */
  async function readRoutes(): Promise<[method: string, url: string][]> {
    await expect.poll(() => server.output().includes('Server listening at')).toBe(true)
    const logged = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"A route"'))
      .map((line) => JSON.parse(line) as { methods: string[]; url: string })
      .flatMap(({ methods, url }) => methods.map((method): [string, string] => [method, url]))
    const routes: [string, string][] = []
    // One after another: hundreds at once may take longer to arrive than a request may.
    for (const [method, url] of logged) if ((await statusWithout(method, url)) !== 405) routes.push([method, url])
    return routes
  }

  async function statusWithout(method: string, url: string): Promise<number> {
    // Node's fetch can't send TRACE, which no route supports.
    return method === 'TRACE' ? 405 : (await ask(method, url.replace(/[:*]\w*/, 'a'), null)).status
  }

  test('are all listed in the table', async () => {
    const routes = await routesOfServer()
    expect(routes.length).toBeGreaterThan(20)
    const listed = new Set(Object.keys(ROUTES).flatMap((route) => [route, route.replace(/^GET /, 'HEAD ')]))
    expect(routes.map((route) => route.join(' ')).filter((route) => !listed.has(route))).toEqual([])
  })

  test.each(Object.entries(ROUTES))('reply to each caller as listed: %s', async (route, row) => {
    const [method = '', path = ''] = route.split(' ')
    const registered = await routesOfServer()
    const methods = registered.filter(([name, url]) => url === path && (name === method || (name === 'HEAD' && method === 'GET')))
    expect(methods).not.toEqual([])
    for (const [name] of methods) await expectRow(name, path, row)
  })

  test('are all described by the API document, and no others', async () => {
    const { paths } = JSON.parse((await ask('GET', '/api/openapi.json', null)).body) as { paths: Record<string, object> }
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    expect(described.filter((route) => METHODS.includes(route.split(' ')[0] ?? '') && !ROUTES[route])).toEqual([])
  })

  test('list nothing for another visitor’s sub, an agent’s id or a guessed id, with and without a credential', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    for (const id of [owner.sub, 'assistant', 'me', UNKNOWN.sub, owner.session, owner.turn]) {
      for (const cookie of [null, other.cookie]) {
        const reply = await ask('GET', `/api/v1/agent/chat/${id}`, cookie)
        expect(reply.status).toBe(200)
        expectNothingOf(owner, reply)
      }
      expect((await ask('GET', `/api/v1/agent/chat/${id}`, null)).body).toBe('[]')
    }
  })

  test('treat the bearer like the cookie', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const asBearer = (path: string, { cookie }: Owner) =>
      fetch(server.url + path, { headers: { authorization: `Bearer ${cookie.split('=')[1]}` } }).then((response) => response.status)
    const path = `/api/v1/sessions/${owner.session}`
    expect([await asBearer(path, owner), await asBearer(path, other)]).toEqual([200, 404])
  })
})
