import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runtimePackage } from '../scripts/runtime.mjs'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from '../scripts/server-command.mjs'
import { Environment } from '../src/server/config/config.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')
const inRoot = (path: string) => (path.startsWith(ROOT) ? relative(ROOT, path) : path)

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('runs the Node version that the launcher downloads', () => {
    const images = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => `v${version}`)
    expect(new Set(images)).toEqual(new Set([runtimePackage('linux', 'x64')?.version]))
  })

  test('passes the launcher’s options to Node', () => {
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? []
    expect(JSON.parse(command)).toEqual(['node', ...SERVER_ARGUMENTS.map(inRoot)])
    for (const [name, value] of Object.entries(SERVER_ENVIRONMENT)) {
      expect(dockerfile).toContain(`${name}=${value.startsWith(ROOT) ? `/app/${inRoot(value)}` : value}`)
    }
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
    expect([...compose.matchAll(/^ {2}(app-\d):\n {4}<<: \*app\n {4}volumes: \[\1:\/data\]$/gm)]).toHaveLength(2)
    expect(app).toContain('stop_grace_period: 30s')
  })
})
