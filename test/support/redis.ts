import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findRedis } from '../../scripts/redis.mjs'
import { freePort } from './free-port.ts'

const START_LIMIT_MS = 120_000
const READY = /Ready to accept connections|Sentinel ID is/

export interface TestRedis {
  /** For `REDIS_URL`. Unchanged by a restart. */
  readonly url: string
  /** Cuts every connection and stays unavailable until `start`. */
  kill(): Promise<void>
  /** Makes it available again at the same address. */
  start(): Promise<void>
  /** Keeps connections open without replying, until reset. */
  freeze(frozen: boolean): void
}

/**
 * A Redis of the test file's own, on a free port, that stores nothing: Debian's `redis-server`, or the server that
 * `TEST_REDIS_URL` names, through a proxy that can be closed. End it with `kill`.
 */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort()
  const named = process.env['TEST_REDIS_URL']
  const redis = named ? new DoorToRedis(new URL(named), port) : new RedisProcess(port)
  await redis.start()
  return redis
}

export interface TestSentinel {
  /** For `REDIS_URL`. */
  readonly url: string
  /** Ends the master; resolves when the sentinel names the other. */
  failOver(): Promise<void>
  kill(): Promise<void>
}

/** A master, its replica and a sentinel that makes this the master when the other is silent for half a second. */
export async function startSentinel(): Promise<TestSentinel> {
  const [master, replica, port] = [new RedisProcess(await freePort()), new RedisProcess(await freePort()), await freePort()]
  await master.start()
  await replica.start('--replicaof', '127.0.0.1', String(master.port))
  const directory = mkdtempSync(join(tmpdir(), 'parley-sentinel-'))
  const file = join(directory, 'sentinel.conf')
  const monitor = [`monitor main 127.0.0.1 ${master.port} 1`, 'down-after-milliseconds main 500', 'failover-timeout main 5000']
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', ...monitor.map((line) => `sentinel ${line}`)].join('\n'))
  const sentinel = new RedisProcess(port)
  await sentinel.start('--sentinel', file)
  const { Redis } = await import('ioredis')
  const asked = new Redis(port, '127.0.0.1')
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await setTimeout(50)
  }
  // Before it knows the replica, it has nothing to make the master.
  await until(async () => ((await asked.call('SENTINEL', 'REPLICAS', 'main')) as unknown[]).length > 0)
  return {
    url: `redis+sentinel://127.0.0.1:${port}/main`,
    async failOver() {
      await master.kill()
      await until(async () => ((await asked.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main')) as string[])[1] === String(replica.port))
    },
    async kill() {
      asked.disconnect()
      await Promise.all([master, replica, sentinel].map((redis) => redis.kill()))
      rmSync(directory, { recursive: true })
    },
  }
}

class RedisProcess implements TestRedis {
  readonly url: string
  readonly port: number
  #child: ChildProcess | undefined

  constructor(port: number) {
    this.port = port
    this.url = `redis://127.0.0.1:${port}`
  }

  async start(...more: string[]) {
    const program = findRedis()
    if (!program) throw new Error('No redis-server on the PATH, and TEST_REDIS_URL is not set.')
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--daemonize', 'no', ...more]
    const child = spawn(program, more[0] === '--sentinel' ? [more[1] as string, '--sentinel'] : options, {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#child = child
    running.add(child)
    child.once('close', () => running.delete(child))
    await ready(child)
  }

  async kill() {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }

  freeze(frozen: boolean) {
    this.#child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT')
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    const limit = globalThis.setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(limit)
      reject(new Error(`redis-server ended before it was ready: ${log}`))
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (READY.test(log)) return
      log += text
      if (!READY.test(log)) return
      clearTimeout(limit)
      resolve()
    })
  })
}

/** A Redis that others may use is not killed or frozen; the connection to it is. */
class DoorToRedis implements TestRedis {
  readonly url: string
  readonly #target: URL
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined

  constructor(target: URL, port: number) {
    const own = new URL(target)
    own.host = `127.0.0.1:${port}`
    this.url = own.href
    this.#target = target
    this.#port = port
  }

  async start() {
    this.#server = createServer((near) => {
      const far = connect(Number(this.#target.port || 6379), this.#target.hostname)
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
      }
    }).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async kill() {
    const server = this.#server
    if (!server?.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  freeze(frozen: boolean) {
    for (const socket of this.#sockets) {
      if (frozen) socket.pause()
      else socket.resume()
    }
  }
}

/** Ends all servers with the worker. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
