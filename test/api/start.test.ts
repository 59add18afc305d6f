import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listSessions, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { createDatabase } from '../support/postgres.ts'
import { runStatement } from '../faults/kit/stored-rows.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { refusedStart, startServer, type TestServer } from '../support/server.ts'

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
  test('the command is unknown', async () => {
    const { code, output } = await runOperatorCommand({ DATA_DIR: join(folder, 'unused') }, ['hepl'])
    expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(/^Unknown command: use one of .*\bbackup\b.*\n$/) })
  })

  test('a setting is given as an option', async () => {
    const { code, output } = await runOperatorCommand({ DATA_DIR: join(folder, 'unused') }, ['--port', '4000'])
    expect({ code, output }).toEqual({
      code: 2,
      output: 'Unknown option "--port": settings are environment variables, such as PORT=3000 parley start.\n',
    })
  })

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

  test('the installation key is lost, and another is not made in its place', async () => {
    const server = await startServer({ database: 'sqlite' })
    try {
      await change(server, "INSERT INTO installation_facts (name, value) VALUES ('former_keys', 'sealed')")
      await server.kill()
      const key = join(server.dataDirectory, 'installation.key')
      rmSync(key)
      const env = { DATA_DIR: server.dataDirectory }
      expectOneSentence(await refusedStart({ database: 'sqlite', env }), /sealed under another key/)
      expect(existsSync(key)).toBe(false)
    } finally {
      await server.stop()
    }
  })

  test('the database cannot be reached', async () => {
    const env = { DATABASE_URL: 'postgres://nobody:pAsSwOrD@127.0.0.1:1/none' }
    const refused = await refusedStart({ database: 'sqlite', env })
    expectOneSentence(refused, /DATABASE_URL cannot be reached/)
    expect(refused.output).not.toContain('pAsSwOrD')
  })
})

test('a backup that cannot be written names its own place, not the data folder', async () => {
  const file = join(folder, 'no-folder')
  writeFileSync(file, '')
  const refused = await runOperatorCommand({ DATA_DIR: join(folder, 'unused') }, ['backup', '--to', join(file, 'backups')])
  expectOneSentence(refused, /no-folder\/backups cannot be read or written \(ENOTDIR\)/)
  expect(refused.output).not.toContain('DATA_DIR')
})

describe.each(DATABASES)('a database of a newer release (%s)', (database) => {
  test('is used if that release allows it, and otherwise rejected in one sentence that names the release', async () => {
    const server = await startServer({ database })
    try {
      await change(server, "INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-newer', '2027-01-01T00:00:00.000Z')")
      await server.restart()
      expect((await sendPrompt(server.url, 'older', 'hello')).status).toBe(200)
      await change(server, "UPDATE installation_facts SET value = '9999' WHERE name = 'compatible_from'")
      await change(server, "UPDATE installation_facts SET value = '9.8.7' WHERE name = 'release'")
      await server.kill()
      const { DATABASE_URL, DATA_DIR } = server.env
      expectOneSentence(
        await refusedStart({ database: 'sqlite', env: { DATABASE_URL, DATA_DIR } }),
        /newer release.*release 9\.8\.7 or a later one/,
      )
    } finally {
      await server.stop()
    }
  })
})

describe.each(DATABASES)('a database of a preview from before 0.1.0 (%s)', (database) => {
  test('is rejected in one sentence that says what to do, and left as it is', async () => {
    const server = await startServer({ database })
    try {
      for (let number = 2; number <= 18; number++) {
        const name = number === 2 ? '0002-sources' : `${String(number).padStart(4, '0')}-preview`
        await change(server, `INSERT INTO kysely_migration (name, timestamp) VALUES ('${name}', '2026-11-27T00:00:00.000Z')`)
      }
      await server.kill()
      const { DATABASE_URL, DATA_DIR = '' } = server.env
      const env = { DATA_DIR, ...(DATABASE_URL !== undefined && { DATABASE_URL }) }
      expectOneSentence(await refusedStart({ database: 'sqlite', env }), /preview.*before 0\.1\.0.*empty DATA_DIR.*DATABASE_URL/)
      expect((await runOperatorCommand(env, ['status'])).output).toContain('preview of Parley from before 0.1.0')
    } finally {
      await server.stop()
    }
  })
})

/** Runs a statement on the server's database. */
async function change({ env, dataDirectory }: TestServer, statement: string): Promise<void> {
  if (env['DATABASE_URL']) return void (await runStatement(env['DATABASE_URL'], statement))
  const sqlite = new DatabaseSync(join(dataDirectory, 'parley.db'), { timeout: 5_000 })
  sqlite.exec(statement)
  sqlite.close()
}

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

  test('names areas with a problem to everybody, and details to the operator', async () => {
    const knowledge = mkdtempSync(join(folder, 'knowledge-'))
    writeFileSync(join(knowledge, 'secret-plan.pdf'), 'no PDF')
    const own = await startServer({ database: 'sqlite', env: { KNOWLEDGE_DIR: knowledge, METRICS_TOKEN: 'a-token-for-operators' } })
    try {
      const ready = async (authorization = '') =>
        (await (await fetch(`${own.url}/readyz`, { headers: { authorization } })).json()) as object
      await expect.poll(() => ready()).toEqual({ status: 'ok', problems: ['knowledge'], indexing: null, embedding: null })
      expect(await ready('Bearer another-token-for-operators')).not.toHaveProperty('details')
      expect(await ready('Bearer a-token-for-operators')).toMatchObject({ details: [expect.stringContaining('secret-plan.pdf')] })
    } finally {
      await own.stop()
    }
  })

  test('closes its files to others, whatever the mask, and those of an earlier start', async () => {
    const folders = ['knowledge', 'erasures']
    const files = () => readdirSync(server.dataDirectory).filter((name) => !folders.includes(name))
    expect(files()).toContain('parley.db')
    for (const name of files()) expect([name, statSync(join(server.dataDirectory, name)).mode & 0o777]).toEqual([name, 0o600])
    expect(statSync(join(server.dataDirectory, 'erasures')).mode & 0o777).toBe(0o700)
    chmodSync(join(server.dataDirectory, 'parley.db'), 0o644)
    await server.restart()
    expect(statSync(join(server.dataDirectory, 'parley.db')).mode & 0o777).toBe(0o600)
  })

  test('reloads its files at SIGHUP, and opens no inspector at SIGUSR1', async () => {
    const { pid } = server
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) process.kill(pid, signal)
    await expect.poll(() => server.output()).toContain('Reloading the files of agents and knowledge')
    expect((await sendPrompt(server.url, 'after-signals', 'hello')).status).toBe(200)
    expect([server.pid, /Debugger listening/.test(server.output())]).toEqual([pid, false])
  })

  test('puts files of secrets that have changed in force at SIGHUP, and keeps those in force if one is wrong', async () => {
    const model = await startScriptedModel()
    const [key, token] = [join(folder, 'model-key'), join(folder, 'metrics-token')]
    writeFileSync(key, 'model-key-of-the-first-month')
    writeFileSync(token, 'token-of-the-first-month')
    const env = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', OPENAI_API_KEY_FILE: key, METRICS_TOKEN_FILE: token }
    const own = await startServer({ database: 'sqlite', env })
    onTestFinished(async () => {
      await own.stop()
      await model.close()
    })
    const metricsWith = async (bearer: string) => {
      const reply = await fetch(`${own.url}/metrics`, { headers: { authorization: `Bearer ${bearer}` } }).catch(() => undefined)
      return reply?.status
    }
    const keySent = async () => {
      await (await sendPrompt(own.url, 'me', 'hello')).text()
      return model.requests.at(-1)?.headers.authorization
    }
    expect([await keySent(), await metricsWith('token-of-the-first-month')]).toEqual(['Bearer model-key-of-the-first-month', 200])
    const { pid } = own
    writeFileSync(token, ' ')
    process.kill(pid, 'SIGHUP')
    await expect.poll(() => own.output()).toContain('METRICS_TOKEN_FILE is blank, give it a value or leave it out')
    expect(await metricsWith('token-of-the-first-month')).toBe(200)
    writeFileSync(key, 'model-key-of-the-next-month')
    writeFileSync(token, 'token-of-the-next-month')
    process.kill(pid, 'SIGHUP')
    await expect.poll(() => metricsWith('token-of-the-next-month')).toBe(200)
    expect([await keySent(), await metricsWith('token-of-the-first-month')]).toEqual(['Bearer model-key-of-the-next-month', 401])
    expect(own.pid).toBe(pid)
  })

  test('listens on an IPv6 address', async () => {
    const own = await startServer({ database: 'sqlite', env: { HOST: '::1' } })
    const { output } = await runOperatorCommand({ ...own.env, PORT: new URL(own.url).port }, ['status'])
    expect([own.url, (await sendPrompt(own.url, 'me', 'hello')).status]).toEqual([expect.stringMatching(/^http:\/\/\[::1\]:\d+$/), 200])
    expect(output).toMatch(/takes prompts/)
    await own.stop()
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
