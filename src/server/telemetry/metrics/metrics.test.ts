import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type EndedTurn, type Levels, Metrics, type MetricsOptions } from './metrics.ts'

const DEPLOY = join(import.meta.dirname, '../../../../deploy')
const RULES = join(DEPLOY, 'prometheus/rules.yml')

const LEVELS: Levels = {
  runningTurns: 1,
  openStreams: 2,
  waitingPrompts: 3,
  lagMs: 4,
  isDatabaseAvailable: true,
  failingModels: [],
  problems: [],
  connections: { open: 5, idle: 3, waiting: 1, max: 10 },
  isRedisAvailable: false,
}
const TURN: EndedTurn = {
  status: 'failed',
  state: 'failed',
  code: 'model_failed',
  agent: 'assistant',
  model: 'large',
  provider: 'models.example',
  inputTokens: 100,
  outputTokens: 10,
  cost: 0.5,
  firstTextMs: 300,
  unsupportedSentences: 1,
}

const measured = ({ levels = () => LEVELS, ...options }: Partial<MetricsOptions> & { levels?: () => Levels } = {}) => {
  const metrics = new Metrics({
    budgets: async () => [],
    release: '1.2.3',
    lastBackup: async () => null,
    lastRehearsal: async () => null,
    lastPurge: async () => null,
    freeBytes: async () => null,
    databaseBytes: async () => 1,
    sources: async () => [],
    ...options,
  })
  metrics.showLevels(levels)
  return metrics
}

/** Names of the series that are exposed, without the suffixes of histograms. */
async function namesOf(metrics: Metrics): Promise<Set<string>> {
  return new Set([...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name as string))
}

const namesIn = (expression: string) => expression.match(/\b(?:parley|nodejs|process)_\w+/g) ?? []
const withoutSuffix = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '')

test('every metric that the rules and dashboards name exists, and the dashboard shows every one of ours', async () => {
  const exposed = await namesOf(measured())
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { expr: string }[] }[] }
  const dashboard = JSON.parse(readFileSync(join(DEPLOY, 'grafana/parley.json'), 'utf8')) as { panels: { targets: { expr: string }[] }[] }
  const expressions = [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const named = new Set(expressions.flatMap(namesIn))
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((name) => !exposed.has(name) && !exposed.has(withoutSuffix(name)))).toEqual([])
  const shown = new Set([...named].map(withoutSuffix))
  expect([...exposed].filter((name) => name.startsWith('parley_') && !shown.has(name))).toEqual([])
})

test('the documentation says what to do about each alert', () => {
  const names = [...readFileSync(RULES, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name)
  const page = readFileSync(join(DEPLOY, '../docs/operations.md'), 'utf8')
  const described = [...page.matchAll(/^\| `(Parley\w+)` \|/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  expect(described).toEqual(names)
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
test.skipIf(!hasPromtool)('promtool accepts the rules and the metrics', async () => {
  expect(spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' }).stdout).toContain('SUCCESS')
  const metrics = measured({ budgets: async () => [{ period: 'day', used: 1, limit: 4 }] })
  metrics.turnEnded(TURN)
  metrics.replied({ method: 'GET', route: '/api/v1/me', status: 200, durationMs: 7 })
  metrics.searched('done', 3)
  const { stderr } = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input: await metrics.text() })
  // Its style is not that of the client's own metrics.
  expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))).toEqual([])
})

test('a failed turn is counted by code, agent, provider and model', async () => {
  const metrics = measured()
  metrics.turnEnded(TURN)
  metrics.turnEnded({ ...TURN, status: 'done', state: 'answered', code: null })
  const text = await metrics.text()
  for (const line of [
    'parley_failed_turns_total{code="model_failed"} 1',
    'parley_answers_total{provider="models.example",model="large",agent="assistant",status="failed"} 1',
    'parley_answers_total{provider="models.example",model="large",agent="assistant",status="done"} 1',
    'parley_cost_total{provider="models.example",model="large"} 1',
  ])
    expect(text).toContain(`${line}\n`)
  expect(text).toMatch(/parley_tokens_total\{(?=.*direction="output").*model="large".*\} 20\n/)
})

test('agents, models and providers have a bounded number of labels', async () => {
  const metrics = measured()
  for (let index = 0; index < 200; index += 1)
    metrics.turnEnded({ ...TURN, agent: `agent ${index}`, model: `model ${index}`, provider: `provider ${index}` })
  const text = await metrics.text()
  for (const label of ['agent', 'model', 'provider']) {
    const values = new Set([...text.matchAll(new RegExp(`${label}="([^"]+)"`, 'g'))].map(([, value]) => value))
    expect(values.size).toBe(51)
    expect(values).toContain('other')
  }
})

test('replies are measured by route and class of status, searches by outcome', async () => {
  const metrics = measured()
  metrics.replied({ method: 'GET', route: '/api/v1/me', status: 201, durationMs: 30 })
  metrics.replied({ method: 'GET', route: undefined, status: 404, durationMs: 1 })
  metrics.searched('failed', 40)
  const text = await metrics.text()
  expect(text).toContain('parley_request_seconds_sum{method="GET",route="/api/v1/me",status="2xx"} 0.03\n')
  expect(text).toContain('parley_request_seconds_count{method="GET",route="none",status="4xx"} 1\n')
  expect(text).toContain('parley_search_seconds_sum{outcome="failed"} 0.04\n')
})

test('websites and problems are series of their own, without those that are not there', async () => {
  const sources = [
    { id: 'town', endedAt: 1700000000, isFailing: false },
    { id: 'new', endedAt: null, isFailing: true },
  ]
  const levels = () => ({ ...LEVELS, problems: [['knowledge', 2]] as const })
  const text = await measured({ sources: async () => sources, levels }).text()
  expect(text.match(/^parley_(?:source|problems).*/gm)).toEqual([
    'parley_source_last_run_timestamp_seconds{source="town"} 1700000000',
    'parley_source_failing{source="town"} 0',
    'parley_source_failing{source="new"} 1',
    'parley_problems{code="knowledge"} 2',
  ])
  expect(await measured({ sources: () => Promise.reject(new Error('The database is away')) }).text()).not.toContain(
    'parley_source_failing{',
  )
})

test('levels are those of the scrape', async () => {
  let levels = LEVELS
  let used = 1
  const metrics = measured({ levels: () => levels, budgets: async () => [{ period: 'day', used, limit: 4 }] })
  const first = await metrics.text()
  for (const line of [
    'parley_database_up 1',
    'parley_database_connections{state="busy"} 2',
    'parley_database_connections{state="waiting"} 1',
    'parley_database_connections{state="max"} 10',
    'parley_redis_up 0',
    'parley_budget_limit{period="day"} 4',
    'parley_budget_left{period="day"} 3',
    'parley_build_info{release="1.2.3"} 1',
  ])
    expect(first).toContain(`${line}\n`)
  levels = { ...LEVELS, isDatabaseAvailable: false, connections: null, isRedisAvailable: null }
  used = 5
  const second = await metrics.text()
  expect(second).toContain('parley_database_up 0\n')
  expect(second).toContain('parley_budget_left{period="day"} 0\n')
  expect(second).not.toMatch(/^parley_(?:redis_up|database_connections)\b/m)
})

test('metrics are served while the budgets cannot be read', async () => {
  const metrics = measured({ budgets: () => Promise.reject(new Error('no database')) })
  const text = await metrics.text()
  expect(text).toContain('parley_running_turns 1\n')
  expect(text).not.toMatch(/^parley_budget/m)
})
