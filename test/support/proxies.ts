import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProxy, type Proxy } from '../../scripts/proxies.mjs'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const START_LIMIT_MS = 120_000

export interface RunningProxy {
  port: number
  stop(): Promise<void>
}

type WebProxy = Exclude<Proxy, 'pgbouncer'>

/** How each shipped configuration is run: with a free port and these upstreams in place of the examples. */
const RUN: Record<
  WebProxy,
  (options: { port: number; upstreams: readonly string[]; folder: string }) => { args: string[]; env?: NodeJS.ProcessEnv }
> = {
  nginx: ({ port, upstreams, folder }) => {
    const site = withUpstreams(read('nginx.conf'), upstreams).replace('listen 80;', `listen 127.0.0.1:${port};`)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
    write(folder, 'site.conf', site)
    write(
      folder,
      'nginx.conf',
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths} include ${folder}/site.conf; }`,
    )
    return { args: ['-p', folder, '-c', join(folder, 'nginx.conf')] }
  },
  haproxy: ({ port, upstreams, folder }) => {
    write(folder, 'haproxy.cfg', withUpstreams(read('haproxy.cfg'), upstreams).replace('bind :80', `bind 127.0.0.1:${port}`))
    return { args: ['-db', '-f', join(folder, 'haproxy.cfg')] }
  },
  caddy: ({ port, upstreams, folder }) => ({
    args: ['run', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'Caddyfile')],
    env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, SITE_ADDRESS: `http://:${port}`, UPSTREAMS: upstreams.join(' ') },
  }),
}

/** Runs a shipped configuration in front of `upstreams` (`host:port`), two of them. */
export async function startProxy(name: WebProxy, upstreams: readonly [string, string]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `parley-${name}-`))
  const port = await freePort()
  const { args, env } = RUN[name]({ port, upstreams, folder })
  return running(name, port, folder, args, env)
}

/** Runs pgbouncer in transaction mode in front of a database, and resolves with the address of the database through it. */
export async function startPgbouncer(databaseUrl: string): Promise<RunningProxy & { url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'))
  // pgbouncer refuses to run as root.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const entry = [
    `host=${hostname}`,
    `port=${databasePort}`,
    `dbname=${pathname.slice(1)}`,
    `user=${username}`,
    ...(password ? [`password=${password}`] : []),
  ]
  write(
    folder,
    'pgbouncer.ini',
    `[databases]\nparley = ${entry.join(' ')}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 5\nmax_client_conn = 100\n`,
  )
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const proxy = await running('pgbouncer', port, folder, [...user, join(folder, 'pgbouncer.ini')])
  return { ...proxy, url: `postgres://${username}@127.0.0.1:${port}/parley` }
}

async function running(name: Proxy, port: number, folder: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<RunningProxy> {
  const program = findProxy(name)
  if (!program) throw new Error(`${name} is not installed.`)
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4_000)))
  const stop = async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await eventually(() => connectTo(port), START_LIMIT_MS)
  } catch (cause) {
    await stop()
    throw new Error(`${name} did not start: ${errors}`, { cause })
  }
  return { port, stop }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function connectTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

function withUpstreams(text: string, [first, second]: readonly string[]): string {
  return text.replace('127.0.0.1:3000', String(first)).replace(/# (server .*)127\.0\.0\.1:3010/, `$1${second}`)
}

const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')
const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o644 })
