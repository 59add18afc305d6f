import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runtimePackage } from '../scripts/runtime.mjs'
import { Environment } from '../src/server/config/config.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('runs the Node version that the launcher downloads', () => {
    const images = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => `v${version}`)
    expect(new Set(images)).toEqual(new Set([runtimePackage('linux', 'x64')?.version]))
  })

  test('runs the command of the archive', () => {
    expect(dockerfile).toContain('ln -s /app/parley /usr/local/bin/parley')
    expect(dockerfile).toContain('CMD ["parley", "start"]')
  })
})

describe('the compose file', () => {
  const compose = read('compose.yaml')
  const app = compose.slice(compose.indexOf('x-app:'), compose.indexOf('\nservices:'))

  test('sets only documented settings', () => {
    const [, block = ''] = /environment:\n((?: {4}.*\n)+)/.exec(app) ?? []
    const names = [...block.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name)
    expect(names).toContain('INSTALLATION_KEY')
    expect(names.filter((name) => !Object.hasOwn(Environment.shape, name as string))).toEqual([])
  })

  test('passes on every setting of .env, and sets only what the file itself determines', () => {
    expect(app).toContain('env_file:\n    - path: .env\n      required: false\n')
    const [, block = ''] = /environment:\n((?: {4}.*\n)+)/.exec(app) ?? []
    expect([...block.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name)).toEqual([
      'DATABASE_URL',
      'REDIS_URL',
      'INSTALLATION_KEY',
      'TRUSTED_PROXIES',
      'ERASURE_LEDGER',
      'CONSOLE_HOST',
      'CONSOLE_URL',
    ])
  })

  test('contains no secret, and does not start without one', () => {
    for (const name of ['INSTALLATION_KEY', 'POSTGRES_PASSWORD']) {
      const uses = [...compose.matchAll(new RegExp(`\\$\\{${name}([^}]*)\\}`, 'g'))]
      expect(uses.length).toBeGreaterThan(0)
      for (const [, rest] of uses) expect(rest).toMatch(/^:\?/)
    }
  })

  test('gives both processes the same settings, a folder each, and time to shut down', () => {
    expect([
      ...compose.matchAll(/^ {2}(app-\d):\n {4}<<: \*app\n(?: {4}ports: .*\n)? {4}volumes: \[\1:\/data, erasures:\/erasures\]$/gm),
    ]).toHaveLength(2)
    expect(app).toContain('stop_grace_period: 30s')
  })
})

describe.each(['parley.service', 'parley-backup.service', 'parley-backup.timer'])('the systemd unit %s', (name) => {
  const unit = join(ROOT, 'deploy/systemd', name)
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })

  test.skipIf(analyze('--version').status !== 0)('is valid, and may do little', () => {
    // The only complaint is that the archive isn't unpacked here.
    const complaints = analyze('verify', unit)
      .stderr.split('\n')
      .filter((line) => line.includes('parley') && !line.includes('is not executable'))
    expect(complaints).toEqual([])
    if (name.endsWith('.timer')) return
    const security = analyze('security', '--offline=true', '--threshold=20', unit)
    expect(security.status, security.stdout + security.stderr).toBe(0)
  })
})

test('the systemd unit of the server gives answers the time to end', () => {
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('systemd/parley.service'))?.[1])).toBeGreaterThanOrEqual(30)
})

describe('the Helm chart', () => {
  const folder = 'helm/parley/templates'
  const templates = readdirSync(join(ROOT, 'deploy', folder)).map((file) => ({ file, text: read(`${folder}/${file}`) }))
  const values: unknown = parse(read('helm/parley/values.yaml'))

  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values)

  test.each(templates)('$file uses only values that values.yaml has, and closes what it opens', ({ text }) => {
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) expect(valueAt(path), path).toBeDefined()
    const opened = [...text.matchAll(/\{\{-? (?:if|with|range)\b/g)].length
    expect([...text.matchAll(/\{\{-? end\b/g)]).toHaveLength(opened)
  })

  test.each(templates.filter(({ file }) => file.endsWith('.yaml')))('$file is YAML once its expressions have values', ({ text }) => {
    const filled = text
      .split('\n')
      .filter((line) => !/^\s*\{\{.*\}\}\s*$/.test(line))
      .map((line) => line.replace(/\{\{.*?\}\}/g, 'x'))
      .filter((line, index, lines) => line !== lines[index + 1] || !line.includes('claimName'))
    for (const document of filled.join('\n').split(/^---$/m)) {
      if (document.trim() === '') continue
      const uniqueKeys = !document.includes('claimName')
      expect(parse(document, { uniqueKeys })).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String) })
    }
  })

  test('gives all processes one database, one key and one ledger', () => {
    const pods = read(`${folder}/statefulset.yaml`)
    for (const name of ['INSTALLATION_KEY', 'DATABASE_URL', 'ERASURE_LEDGER']) expect(pods).toContain(`- name: ${name}\n`)
  })
})
