import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeBundle } from '../scripts/release/bundle.mjs'

const NODE = dirname(process.execPath)

describe.skipIf(process.platform === 'win32')('the archive', () => {
  let place: string
  let root: string
  let server: Program | undefined

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'parley-bundle-'))
    const archive = await writeBundle({ folder: place })
    const extracted = join(place, 'extracted folder')
    await run('sh', ['-c', `mkdir "${extracted}" && tar -xzf "${archive}" -C "${extracted}"`], {})
    root = join(extracted, basename(archive, '.tar.gz'))
    server = await startServer()
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(place, { recursive: true, force: true })
  })

  const environment = () => ({ PATH: `${NODE}:/usr/bin:/bin`, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(place, 'data') })

  /** Starts it from another folder, with nothing of this checkout in reach but Node. */
  async function startServer() {
    const started = new Program(join(root, 'parley'), ['start'], environment(), tmpdir())
    await started.untilOutput('Parley is ready at http')
    return started
  }

  const url = (path: string) => `${/ready at (http:\S+)/.exec(server?.output ?? '')?.[1]}${path}`

  test('starts from an empty folder, and takes prompts', async () => {
    expect(server?.output).toContain('Parley is ready at http')
    const ready = await fetch(url('/readyz'))
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({ status: 200, body: { problems: [] } })
    const body = JSON.stringify({ prompt: 'How long are my chats kept?' })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(url('/api/v1/agent/chat/bundle'), { method: 'POST', headers, body })
    expect({ status: reply.status, body: await reply.json() }).toMatchObject({ status: 200, body: { state: 'answered' } })
  })

  test.each([
    ['/', 'text/html'],
    ['/embed.js', 'application/javascript'],
    ['/client.tgz', 'application/octet-stream'],
    ['/api/docs', 'text/html'],
    ['/api/docs/static/swagger-ui-bundle.js', 'application/javascript'],
  ])('has the files behind %s', async (path, type) => {
    const reply = await fetch(url(path))
    expect({ status: reply.status, type: reply.headers.get('content-type') }).toEqual({
      status: 200,
      type: expect.stringContaining(type) as string,
    })
    await reply.arrayBuffer()
  })

  test('runs an operator’s command beside the server', async () => {
    const { code, output } = await run(join(root, 'parley'), ['status'], { ...environment(), PORT: new URL(url('/')).port })
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Server +takes prompts/) as string })
  })

  test.each(['THIRD_PARTY_NOTICES.txt', 'sbom.cdx.json', 'LICENSE', 'CHANGELOG.md'])('contains %s', (name) => {
    expect(existsSync(join(root, name))).toBe(true)
  })

  test('contains no sources, pictures or packages beyond those that are read at run time', () => {
    expect(existsSync(join(root, 'src'))).toBe(false)
    expect(existsSync(join(root, 'docs/pictures'))).toBe(false)
    expect(readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@fastify'])
    expect(readdirSync(join(root, 'node_modules/@fastify'))).toEqual(['swagger-ui'])
  })

  test('names the Node that it needs', async () => {
    const { code, output } = await run(join(root, 'parley'), [], { PATH: '/usr/bin:/bin', NODE: '/nowhere/node' })
    expect({ code, output }).toEqual({ code: 1, output: 'Parley needs Node 24: install it, or set NODE to its path.\n' })
  })

  test('ends gracefully on SIGTERM, which reaches the server itself', async () => {
    expect(await server?.stop()).toBe(0)
  })
})

class Program {
  output = ''
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>

  constructor(file: string, args: string[], env: Record<string, string>, cwd: string) {
    this.#child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    }
    this.#ended = once(this.#child, 'close').then(([code]) => code as number | null)
  }

  /** Resolves when the program has printed the text, or has ended. */
  untilOutput(text: string) {
    const printed = new Promise<void>((resolve) => {
      this.#child.stdout?.on('data', () => this.output.includes(text) && resolve())
    })
    return Promise.race([printed, this.#ended])
  }

  ended() {
    return this.#ended
  }

  async stop() {
    this.#child.kill('SIGTERM')
    return this.#ended
  }
}

async function run(file: string, args: string[], env: Record<string, string>) {
  const program = new Program(file, args, { PATH: '/usr/bin:/bin', ...env }, tmpdir())
  return { code: await program.ended(), output: program.output }
}
