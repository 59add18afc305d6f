import { randomBytes } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { BUILD_SOURCES } from '../scripts/builds.mjs'
import { RELEASE_FILES } from '../scripts/release/bundle.mjs'
import { runtimePackage } from '../scripts/runtime.mjs'
import { Environment } from '../src/server/config/config.ts'
import { cookieOf, listSessions, sendPrompt, spoken } from './support/api.ts'
import { BOTH_DATABASES } from './support/databases.ts'
import { runOperatorCommand } from './support/operator-command.ts'
import { startServer } from './support/server.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('runs the Node version that the launcher downloads', () => {
    const images = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => `v${version}`)
    expect(new Set(images)).toEqual(new Set([runtimePackage('linux', 'x64')?.version]))
  })

  test('is built from everything that the builds read and the archive contains', () => {
    const sent = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path)
    const missing = [...BUILD_SOURCES, ...RELEASE_FILES].filter(
      (path) => !sent.some((name) => path === name || path.startsWith(`${name}/`)),
    )
    expect(missing).toEqual([])
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

const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' })
const DEFAULTS = { existingSecret: 'parley' }
const EVERYTHING = {
  ...DEFAULTS,
  settings: { TRUSTED_PROXIES: '10.0.0.0/8', BUDGET_PER_DAY: 5 },
  ingress: { enabled: true, className: 'nginx', host: 'chat.example.org', tlsSecret: 'tls' },
  data: { storageClass: 'fast' },
  ledger: { storageClass: 'shared' },
  extraVolumes: [{ name: 'agents', configMap: { name: 'agents' } }],
  extraVolumeMounts: [{ name: 'agents', mountPath: '/agents' }],
  autoscaling: { enabled: true },
  backup: { enabled: true, existingClaim: 'backups' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  networkPolicy: { from: [{ namespaceSelector: {} }] },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ operator: 'Exists' }],
}

const Labels = z.record(z.string(), z.string())
const Labelled = z.object({ metadata: z.object({ labels: Labels }) })
const Service = Labelled.extend({ spec: z.object({ selector: Labels, ports: z.tuple([z.object({ name: z.string() })]) }) })
const Processes = z.object({ spec: z.object({ template: Labelled }) })
const Backup = z.object({ spec: z.object({ jobTemplate: Processes }) })
const Monitor = z.object({
  spec: z.object({ selector: z.object({ matchLabels: Labels }), endpoints: z.tuple([z.object({ port: z.string() })]) }),
})

describe.skipIf(helm('version').status !== 0)('the Helm chart as helm renders it', () => {
  function rendered(values: object) {
    const settings = Object.entries(values).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`])
    const { stdout, stderr, status } = helm('template', '--kube-version=1.27.0', 'parley', join(ROOT, 'deploy/helm/parley'), ...settings)
    expect(status, stderr).toBe(0)
    const objects = parseAllDocuments(stdout).map((document) => {
      expect(document.errors).toEqual([])
      return z.looseObject({ kind: z.string() }).parse(document.toJS())
    })
    return {
      kinds: new Set(objects.map(({ kind }) => kind)),
      all: <T>(kind: string, schema: z.ZodType<T>) =>
        objects.filter((object) => object.kind === kind).map((object) => schema.parse(object)),
    }
  }
  type Labels = z.infer<typeof Labels>
  const selects = (selector: Labels, labels: Labels) => Object.entries(selector).every(([name, value]) => labels[name] === value)

  test('has what always is there, and what options add', () => {
    const always = ['NetworkPolicy', 'PodDisruptionBudget', 'ConfigMap', 'PersistentVolumeClaim', 'Service', 'StatefulSet']
    expect(rendered(DEFAULTS).kinds).toEqual(new Set(always))
    const added = ['CronJob', 'HorizontalPodAutoscaler', 'Ingress', 'ServiceMonitor']
    expect(rendered(EVERYTHING).kinds).toEqual(new Set([...always, ...added]))
  })

  test('lets Prometheus read each process once, and sends a backup no requests', () => {
    const { all } = rendered(EVERYTHING)
    const services = all('Service', Service)
    const reaching = (pods: z.infer<typeof Labelled>[]) =>
      services.filter(({ spec }) => pods.some(({ metadata }) => selects(spec.selector, metadata.labels)))
    expect(reaching(all('StatefulSet', Processes).map(({ spec }) => spec.template))).toHaveLength(2)
    expect(reaching(all('CronJob', Backup).map(({ spec }) => spec.jobTemplate.spec.template))).toEqual([])
    const monitored = all('ServiceMonitor', Monitor).map(({ spec: { selector, endpoints } }) => ({
      ports: services.filter(({ metadata }) => selects(selector.matchLabels, metadata.labels)).map(({ spec }) => spec.ports[0].name),
      expected: endpoints.map(({ port }) => port),
    }))
    expect(monitored).toEqual([{ ports: ['http'], expected: ['http'] }])
  })
})

test.runIf(BOTH_DATABASES.includes('postgres'))('the CronJob makes a backup without the folder of a process, and restores it', async () => {
  const job = read('helm/parley/templates/backup.yaml')
  const [, command = ''] = /command: \[parley, (.*)\]/.exec(job) ?? []
  const backups = mkdtempSync(join(tmpdir(), 'parley-cron-'))
  const ledger = join(backups, 'erasures')
  const server = await startServer({
    database: 'postgres',
    env: { INSTALLATION_KEY: randomBytes(32).toString('hex'), ERASURE_LEDGER: ledger },
  })
  try {
    const cookie = cookieOf(await sendPrompt(server.url, 'me', 'How long are my chats kept?'))
    const chats = async () => (await listSessions(server.url, 'me', { cookie })).map(spoken)
    const before = await chats()
    const env = { ...server.env, DATA_DIR: join(backups, 'temporary'), BACKUP_PASSPHRASE: 'four words of a sentence' }
    const args = command.replace('{{ .Values.backup.keep | quote }}', '14').replace('/backups', backups).split(', ')
    const made = await runOperatorCommand(env, args)
    expect(made, made.output).toMatchObject({ code: 0, output: expect.stringContaining('1 chat of 1 visitor, 2 messages') })
    await sendPrompt(server.url, 'me', 'A later prompt')
    await server.kill()
    const restored = await runOperatorCommand(env, ['restore', join(backups, 'parley'), '--replace'])
    expect(restored, restored.output).toMatchObject({ code: 0 })
    await server.restart()
    expect(await chats()).toEqual(before)
  } finally {
    await server.stop()
    rmSync(backups, { recursive: true })
  }
})
