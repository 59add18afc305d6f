import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SERVER_ARGUMENTS } from '../../scripts/server-command.mjs'
import { runDoctor } from '../../src/server/commands/doctor/run-doctor.ts'
import { checkDisk } from '../../src/server/commands/doctor/check-machine.ts'
import type { Finding } from '../../src/server/commands/doctor/finding.ts'
import { assertOwner } from '../../src/server/commands/operator-command.ts'
import { readStatus } from '../../src/server/commands/status.ts'
import { readSettings } from '../../src/server/config/config.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { runStatement } from '../support/postgres.ts'
import { runSql } from '../support/run-sql.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { startTestProxy, type TestProxy, type TestProxyOptions } from '../support/test-proxy.ts'

const TOKEN = 'mR7-tq2-Lw9-pX4-zB8'

/** The environment of an operator's command beside the server. */
const environmentOf = ({ env, url }: TestServer) => ({ ...env, PORT: new URL(url).port })

async function diagnose(server: TestServer, args: readonly string[] = ['--no-model'], env: NodeJS.ProcessEnv = {}) {
  const { output, exitCode } = await runDoctor([...args, '--json'], () => readSettings({ ...environmentOf(server), ...env }))
  const findings = JSON.parse(output) as Finding[]
  return { exitCode, findings, wrong: findings.filter(({ verdict }) => verdict === 'problem' || verdict === 'warning') }
}

describe('the doctor', () => {
  let model: ScriptedModel
  let server: TestServer
  const proxies: TestProxy[] = []
  beforeAll(async () => {
    model = await startScriptedModel()
    const env = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', TRUSTED_PROXIES: '127.0.0.1' }
    server = await startServer({ database: 'sqlite', env })
  })
  afterAll(async () => {
    for (const proxy of proxies) proxy.close()
    await server.stop()
    await model.close()
  })

  const through = async (options: Partial<TestProxyOptions>) => {
    const proxy = await startTestProxy({ upstream: server.url, ...options })
    proxies.push(proxy)
    return diagnose(server, [proxy.url, '--no-model'])
  }

  test('finds nothing wrong with a server behind a proxy that does what it should', async () => {
    const { findings, wrong, exitCode } = await through({})
    expect(wrong).toEqual([])
    expect(exitCode).toBe(0)
    const areas = findings.filter(({ verdict }) => verdict === 'ok').map(({ area }) => area)
    expect(new Set(areas)).toEqual(
      new Set(['settings', 'agents', 'address', 'installation', 'proxy', 'streaming', 'cookies', 'clock', 'database', 'disk']),
    )
  })

  const OLD = new Date(0).toUTCString()
  test.concurrent.each<[string, Omit<TestProxyOptions, 'upstream'>, [area: string, text: RegExp, change: RegExp]]>([
    ['holds back streams', { buffers: true }, ['streaming', /held back/, /proxy_buffering off/]],
    [
      'names another host',
      { changeRequest: () => ({ host: 'localhost:1' }) },
      ['proxy', /changes Host to localhost:1/, /proxy_set_header Host \$http_host/],
    ],
    [
      'hides clients',
      { changeRequest: () => ({ 'x-forwarded-for': undefined }) },
      ['proxy', /share the limits of one network/, /set X-Forwarded-For/],
    ],
    [
      'names another protocol',
      { changeRequest: () => ({ 'x-forwarded-proto': 'https' }) },
      ['proxy', /takes requests to \S+ for https/, /X-Forwarded-Proto/],
    ],
    [
      'believes clients’ addresses',
      { changeRequest: (headers) => (headers['x-forwarded-for'] ? { 'x-forwarded-for': String(headers['x-forwarded-for']) } : {}) },
      ['proxy', /claim any address/, /replace X-Forwarded-For/],
    ],
    [
      'passes on names of hosts',
      { changeRequest: (headers) => ({ 'x-forwarded-host': headers['x-forwarded-host'] as string | undefined }) },
      ['proxy', /X-Forwarded-Host of clients/, /remove or replace/],
    ],
    [
      'changes cookies',
      {
        changeReply: (headers) => ({
          ...headers,
          'set-cookie': (headers['set-cookie'] ?? []).map((cookie) => cookie.replace('Path=/', 'Path=/chat')),
        }),
      },
      ['cookies', /changes cookies/, /proxy_cookie_path/],
    ],
    [
      'removes cookies from replies',
      { changeReply: (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'set-cookie')) },
      ['cookies', /Set-Cookie does not arrive/, /pass on Set-Cookie/],
    ],
    [
      'removes cookies from requests',
      { changeRequest: () => ({ cookie: undefined }) },
      ['cookies', /do not reach the server/, /pass on Cookie/],
    ],
    ['has another time', { changeReply: (headers) => ({ ...headers, date: OLD }) }, ['clock', /differ by \d+ s/, /NTP/]],
    [
      'removes credentials',
      { changeRequest: () => ({ authorization: undefined }) },
      ['installation', /removes Authorization/, /pass on Authorization/],
    ],
    [
      'serves another host name',
      { changeRequest: () => ({ host: 'chat.example.org' }) },
      ['address', /does not serve the host name/, /ALLOWED_HOSTS/],
    ],
  ])('says what to change where a proxy %s', async (_, options, [area, text, change]) => {
    const { wrong, exitCode } = await through(options)
    expect(wrong).toEqual([expect.objectContaining({ area, text: expect.stringMatching(text), change: expect.stringMatching(change) })])
    expect(exitCode).toBe(wrong[0]?.verdict === 'problem' ? 1 : 0)
  })

  const certificate = () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-certificate-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...name], {
      stdio: 'ignore',
    })
    const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    rmSync(folder, { recursive: true })
    return pair
  }
  const nothing = async () => `http://127.0.0.1:${await freePort()}`
  const at = (address: string) => diagnose(server, [address, '--no-model'])
  const withSettings = (env: NodeJS.ProcessEnv) => diagnose(server, ['--no-model'], env)
  const withModel = (status: number) => {
    model.script({ status })
    return diagnose(server, [])
  }
  const factOf = (name: string, value: string | null) =>
    runSql(server, `replace into installation_facts (name, value) values ('${name}', '${value}')`)

  // With the proxies above, more than twenty mistakes that operators make.
  test.each<[string, () => Promise<{ wrong: Finding[] }>, [area: string, text: RegExp, change: RegExp]]>([
    ['nothing runs at the address', async () => at(await nothing()), ['address', /Nothing listens/, /Start the server/]],
    [
      'the proxy forwards to another port',
      async () => through({ upstream: await nothing() }),
      ['address', /replies 502/, /forward to its HOST and PORT/],
    ],
    ['the address is of another program', () => at(new URL(model.baseUrl).origin), ['address', /not as Parley does/, /forward every path/]],
    ['the name is not in DNS', () => at('http://no-such-name.invalid'), ['address', /has no address/, /DNS record/]],
    [
      'the certificate is signed by nobody',
      async () => through({ tls: certificate() }),
      ['tls', /not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/, /intermediate certificates/],
    ],
    [
      'the proxy ends TLS and does not say so',
      async () => {
        const tls = certificate()
        const authorities = getCACertificates('default')
        setDefaultCACertificates([...authorities, tls.cert])
        return through({ tls }).finally(() => setDefaultCACertificates(authorities))
      },
      ['proxy', /takes requests to https:\S+ for http:/, /proxy_set_header X-Forwarded-Proto \$scheme/],
    ],
    ['the key of the model is wrong', () => withModel(401), ['model', /does not answer/, /Correct the key/]],
    ['the provider has no such model', () => withModel(404), ['model', /does not answer/, /Correct MODEL/]],
    ['the quota at the provider is used up', () => withModel(429), ['model', /does not answer/, /Raise the quota/]],
    [
      'the model is reached through a proxy only',
      async () => diagnose(server, [], { OPENAI_BASE_URL: `${await nothing()}/v1` }),
      ['model', /does not answer/, /whether this machine may connect/],
    ],
    [
      'others can read the data',
      async () => {
        chmodSync(server.dataDirectory, 0o755)
        chmodSync(`${server.dataDirectory}/parley.db`, 0o644)
        const found = await diagnose(server)
        chmodSync(server.dataDirectory, 0o700)
        chmodSync(`${server.dataDirectory}/parley.db`, 0o600)
        return found
      },
      ['disk', /parley\.db/, /chmod -R go-rwx/],
    ],
    [
      'the disk is full',
      // A file system without space.
      async () => ({ wrong: (await checkDisk({ dataDirectory: '/proc' })).filter(({ text }) => text.includes('free')) }),
      ['disk', /0 MB are free/, /Free space/],
    ],
    ['a setting is wrong', () => withSettings({ RETENTION_DAYS: 'many' }), ['settings', /RETENTION_DAYS/, /docs\/settings\.md/]],
    [
      'the command has another installation key',
      () => withSettings({ INSTALLATION_KEY: 'x7Kd93mfQ0sLw8Zr2TbYc6VhNe4UgJpA' }),
      ['installation', /another installation key/, /DATA_DIR, INSTALLATION_KEY/],
    ],
    [
      'the clock went back',
      async () => {
        await factOf('newest_time', String(Date.now() + 3_600_000).padStart(15, '0'))
        const found = await diagnose(server)
        await factOf('newest_time', String(Date.now()).padStart(15, '0'))
        return found
      },
      ['clock', /behind the time of/, /timedatectl set-ntp true/],
    ],
    [
      'the database was moved',
      async () => {
        await factOf('moved_to', 'another place')
        const found = await diagnose(server)
        await runSql(server, "delete from installation_facts where name = 'moved_to'")
        return found
      },
      ['database', /No server of this release starts/, /moved to another place: use that one/],
    ],
    [
      'the installation key is another one',
      async () => {
        await factOf('former_keys', 'sealed')
        const found = await diagnose(server)
        await runSql(server, "delete from installation_facts where name = 'former_keys'")
        return found
      },
      ['database', /No server of this release starts/, /sealed under another key than INSTALLATION_KEY/],
    ],
  ])('says what to change where %s', async (_, make, [area, text, change]) => {
    const { wrong } = await make()
    expect(wrong).toEqual([expect.objectContaining({ area, text: expect.stringMatching(text), change: expect.stringMatching(change) })])
  })

  test('finds PostgreSQL away, and a former database that is still there', async () => {
    const { wrong } = await withSettings({ DATABASE_URL: (await nothing()).replace('http', 'postgres') })
    expect(wrong).toEqual([
      expect.objectContaining({
        area: 'database',
        text: expect.stringContaining('parley.db still has'),
        change: expect.stringContaining('rm -f'),
      }),
      expect.objectContaining({
        area: 'database',
        text: expect.stringContaining('ECONNREFUSED'),
        change: expect.stringContaining('DATABASE_URL'),
      }),
    ])
  })

  test('names a proxy that the server does not trust', async () => {
    const untrusting = await startServer({ database: 'sqlite' })
    const proxy = await startTestProxy({ upstream: untrusting.url })
    const { wrong } = await diagnose(untrusting, [proxy.url]).finally(() => proxy.close())
    await untrusting.stop()
    expect(wrong).toEqual([expect.objectContaining({ area: 'proxy', change: 'Set TRUSTED_PROXIES=127.0.0.1' })])
  })

  test('names each mistake in the agents’ files with its line', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agents-'))
    writeFileSync(join(directory, 'good.md'), '---\nname: Anna\n---\nYou are Anna.\n')
    writeFileSync(join(directory, 'odd.md'), '---\nname: Ben\ngreetings: Hello.\ntools: [flying]\nmcp: [nowhere]\n---\nYou are Ben.\n')
    writeFileSync(join(directory, 'tools.md'), '---\nname: Cleo\ntools: [flying]\nmcp: [nowhere]\n---\nYou are Cleo.\n')
    const { wrong, exitCode } = await diagnose(server, ['--no-model'], { AGENTS_DIR: directory })
    rmSync(directory, { recursive: true })
    const found = wrong.filter(({ area }) => area === 'agents').map(({ text }) => text)
    expect([exitCode, found]).toEqual([
      1,
      [
        'agents/odd.md, line 3: greetings is no key of an agent.',
        expect.stringMatching(/^agents\/tools\.md, line 3: tools: "flying" is not one of calculator/),
        'agents/tools.md, line 4: mcp: "nowhere" is not there, nor is any other.',
      ],
    ])
  })

  test('asks the model', async () => {
    model.script(() => undefined)
    expect((await diagnose(server, [])).findings.at(-1)).toMatchObject({ area: 'model', verdict: 'ok' })
  })

  test('refuses arguments that it does not know', async () => {
    const { output, exitCode } = await runDoctor(['ftp://x'], () => readSettings({}))
    expect([exitCode, output]).toEqual([2, expect.stringContaining('parley doctor')])
  })
})

describe.each(DATABASES)('beside a server on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database, env: { METRICS_TOKEN: TOKEN, BUDGET_PER_DAY: '5', KNOWLEDGE_DIR: '/nowhere' } })
    await sendPrompt(server.url, 'me', 'hello')
  })
  afterAll(() => server.stop())

  test('the built server prints findings and the state as its subcommands', async () => {
    const run = async (command: string) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...SERVER_ARGUMENTS, command], { env: environmentOf(server) })
      return stdout
    }
    const [doctor, status] = await Promise.all([run('doctor'), run('status')])
    expect(doctor).toMatch(/^ok {7}database /m)
    expect(doctor).toMatch(/^ok {7}streaming /m)
    expect(status).toMatch(/^Server +takes prompts at http/m)
    expect(status).toMatch(/^Database +(embedded|PostgreSQL), \d+ MB$/m)
    expect(status).toMatch(/^Migrations +\d+ applied, 0 pending$/m)
    expect(status).toMatch(/^Chats +1 of 1 visitors$/m)
    expect(status).toMatch(/^Budget per day +0\.00 of 5 used$/m)
    expect(status).toMatch(/^Problem +Reading the knowledge folder \/nowhere failed/m)
  })

  test('the state of a server that does not run is printed from its database', async () => {
    const settings = readSettings({ ...environmentOf(server), PORT: String(await freePort()) })
    const { output, exitCode } = await readStatus(settings, '1.2.3')
    expect(exitCode).toBe(1)
    expect(output).toMatch(/^Server +not running at http/m)
    expect(output).toMatch(/^Chats +1 of 1 visitors$/m)
  })

  test('a command of another user is refused', async () => {
    await expect(assertOwner(server.dataDirectory)).resolves.toBeUndefined()
    await expect(assertOwner(server.dataDirectory, 4_242)).rejects.toThrow(/belongs to the user with the id/)
  })

  test.skipIf(database === 'sqlite')('the doctor names rights that the user of the database lacks', async () => {
    const url = new URL(server.env['DATABASE_URL'] as string)
    const role = `reader_${process.pid}`
    await runStatement(url.href, `create role ${role} login`)
    url.username = role
    try {
      const { wrong } = await diagnose(server, ['--no-model'], { DATABASE_URL: url.href })
      expect(wrong.map(({ area }) => area)).toContain('database')
      expect(wrong.find(({ area }) => area === 'database')?.text).toMatch(/lacks rights: .*create tables|cannot be used/)
    } finally {
      await runStatement(server.env['DATABASE_URL'] as string, `drop role ${role}`)
    }
  })
})
