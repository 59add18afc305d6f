import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listSessions, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { createDatabase } from '../support/postgres.ts'
import { refusedStart, startServer } from '../support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-start-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Expects one readable line without stack or JSON that names what to change. */
function expectOneSentence(refused: { code: number; output: string }, named: RegExp): void {
  const lines = refused.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  expect(refused.code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(named)
}

describe('a start that cannot succeed is refused in one sentence', () => {
  test('the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    expectOneSentence(await refusedStart({ database: 'sqlite', env: { PORT: String(port) } }), new RegExp(`Port ${port} is in use.*PORT`))
    taken.close()
  })

  test('the data folder cannot be written', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    expectOneSentence(
      await refusedStart({ database: 'sqlite', env: { DATA_DIR: join(file, 'data') } }),
      /data folder cannot be written.*DATA_DIR/,
    )
  })

  test('settings are wrong, all of them named without their values', async () => {
    const env = { PORT: 'http', RETENTION_DAYS: '1.5', INSTALLATION_KEY: 'sEcReT', MODEL: 'x', CLIENT_IDS: 'all' }
    const refused = await refusedStart({ database: 'sqlite', env })
    expectOneSentence(refused, /PORT.*RETENTION_DAYS|RETENTION_DAYS.*PORT/)
    expect(refused.output).toMatch(/INSTALLATION_KEY/)
    expect(refused.output).not.toContain('sEcReT')
  })

  test('a model is named without its endpoint', async () => {
    expectOneSentence(await refusedStart({ database: 'sqlite', env: { MODEL: 'gpt' } }), /MODEL needs OPENAI_API_KEY/)
  })

  test('a secret is blank, an example, or readable by others', async () => {
    for (const value of ['', 'changeme-changeme-changeme-changeme']) {
      expectOneSentence(
        await refusedStart({ database: 'sqlite', env: { INSTALLATION_KEY: value } }),
        /INSTALLATION_KEY is (blank|an example)/,
      )
    }
    const data = mkdtempSync(join(folder, 'open-'))
    writeFileSync(join(data, 'installation.key'), randomBytes(32).toString('hex'), { mode: 0o644 })
    expectOneSentence(await refusedStart({ database: 'sqlite', env: { DATA_DIR: data } }), /installation\.key can be read.*chmod 600/)
  })

  test('the database cannot be reached', async () => {
    const env = { DATABASE_URL: 'postgres://nobody:pAsSwOrD@127.0.0.1:1/none' }
    const refused = await refusedStart({ database: 'sqlite', env })
    expectOneSentence(refused, /DATABASE_URL cannot be reached/)
    expect(refused.output).not.toContain('pAsSwOrD')
  })
})

describe.each(DATABASES)('two processes on one database (%s)', (database) => {
  test('start together, migrate once, and share what is stored', async () => {
    const shared = mkdtempSync(join(folder, 'shared-'))
    const created = database === 'postgres' ? await createDatabase() : undefined
    const env = { DATA_DIR: shared, ...(created && { DATABASE_URL: created.url }) }
    const servers = await Promise.all([1, 2].map(() => startServer({ database: 'sqlite', env })))
    try {
      const [first, second] = servers.map((server) => server.url) as [string, string]
      expect((await sendPrompt(first, 'shared-id', 'hello')).status).toBe(200)
      expect((await sendPrompt(second, 'shared-id', 'hello')).status).toBe(200)
      expect(await listSessions(first, 'shared-id')).toHaveLength(2)
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      await created?.drop()
    }
  })
})

describe('a running server', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer({ database: 'sqlite' })
  })
  afterAll(() => server.stop())

  test('reports liveness, readiness and its API description', async () => {
    for (const path of ['/healthz', '/readyz']) expect(await (await fetch(server.url + path)).json()).toMatchObject({ status: 'ok' })
    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { openapi: string; paths: Record<string, object> }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths['/api/v1/agent/chat/{id}'] ?? {}).sort()).toEqual(['get', 'post'])
    expect(Object.keys(document.paths)).toContain('/api/v1/turns/{turn}/stream')
    expect((await fetch(`${server.url}/api/docs`)).status).toBe(200)
  })

  test('shows the page for an unknown address to a browser, and 404 to a program', async () => {
    const person = await fetch(`${server.url}/nothing`, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([person.status, person.headers.get('location')]).toEqual([302, '/#/not-found'])
    for (const path of ['/nothing', '/api/nothing']) expect((await fetch(server.url + path)).status).toBe(404)
  })

  test('keeps its secret readable by its owner only', () => {
    expect(statSync(join(server.dataDirectory, 'installation.key')).mode & 0o777).toBe(0o600)
  })

  test('creates its data folder for its owner only', async () => {
    const data = join(mkdtempSync(join(folder, 'new-')), 'deep', 'data')
    const own = await startServer({ database: 'sqlite', env: { DATA_DIR: data } })
    await own.stop()
    expect(statSync(data).mode & 0o777).toBe(0o700)
  })

  test('shuts down gracefully when told to', async () => {
    const short = await startServer({ database: 'sqlite' })
    expect(await short.stop('SIGTERM')).toBe(0)
  })
})

describe('requests of pages', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer({ database: 'sqlite' })
  })
  afterAll(() => server.stop())

  const consented = { cookie: 'privacy-consent=true' }
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', ...consented }, 403, 'cross_origin'],
    ['a foreign origin without fetch metadata', { origin: 'https://evil.example', ...consented }, 403, 'cross_origin'],
    ['no origin that can be named', { origin: 'null', ...consented }, 403, 'cross_origin'],
    ['this site, without consent', { 'sec-fetch-site': 'same-origin' }, 428, 'consent_required'],
    ['this site, after declining', { 'sec-fetch-site': 'same-origin', cookie: 'privacy-consent=false' }, 428, 'consent_required'],
  ])('that come from %s are rejected and store nothing', async (_name, headers, status, code) => {
    const response = await sendPrompt(server.url, 'page-tests', 'hello', { headers })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await listSessions(server.url, 'page-tests')).toEqual([])
  })

  test('that come from this site with consent are answered', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', origin: server.url, ...consented }
    expect((await sendPrompt(server.url, 'page-tests-2', 'hello', { headers })).status).toBe(200)
  })
})
