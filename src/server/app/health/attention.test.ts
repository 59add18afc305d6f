import { expect, test } from 'vitest'
import type { InstallationStatus } from '../../../contract/staff/status.ts'
import { attentionOf } from './attention.ts'

const NOW = Date.UTC(2026, 10, 25)
const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString()

const SYSTEM: InstallationStatus['system'] = {
  migrations: { applied: 3, pending: 0 },
  databaseBytes: 0,
  freeBytes: null,
  runningTurns: 0,
  backup: { lastAt: daysAgo(1), rehearsedAt: null },
  sources: [],
}
const ENDPOINTS: InstallationStatus['endpoints'] = [{ name: 'good', answered: 9, failed: 3, lastFailure: 'model_busy' }]

function textsOf(system: Partial<InstallationStatus['system']>, rest: Partial<InstallationStatus> = {}, firstUsedAt: number | null = null) {
  const status = { problems: [], budgets: [], endpoints: ENDPOINTS, ...rest, system: { ...SYSTEM, ...system } }
  return attentionOf(status, { now: NOW, firstUsedAt, allStoppedAt: null }).map(({ text }) => text)
}

test('says nothing while nothing needs attention', () => {
  expect(textsOf({}, { budgets: [{ period: 'day', used: 7.9, limit: 10 }] }, 1)).toEqual([])
})

test('asks for a backup after a week, also if there never was one', () => {
  expect(textsOf({ backup: { lastAt: daysAgo(9), rehearsedAt: null } })).toEqual(['The last recorded backup is 9 days old.'])
  const never = { backup: { lastAt: null, rehearsedAt: null } }
  expect(textsOf(never)).toEqual([])
  expect(textsOf(never, {}, NOW - 6 * DAY_MS)).toEqual([])
  expect(textsOf(never, {}, NOW - 8 * DAY_MS)).toEqual(['No backup is recorded.'])
})

test('names budgets that are nearly used, failing models and problems', () => {
  expect(
    textsOf(
      {},
      {
        endpoints: [{ name: 'bad', answered: 2, failed: 3, lastFailure: 'model_timeout' }],
        budgets: [
          { period: 'day', used: 8, limit: 10 },
          { period: 'month', used: 0, limit: 0 },
        ],
        problems: [
          { code: 'knowledge', detail: 'a' },
          { code: 'redis', detail: 'b' },
        ],
      },
    ),
  ).toEqual([
    '1 thing needs to be fixed by the operator.',
    '1 problem with the knowledge.',
    'The model bad failed 3 of the last 5 times.',
    '80 % of the budget per day is used.',
    '100 % of the budget per month is used.',
  ])
})

test('gives each sentence a code, and the values that it says', () => {
  const status = { problems: [], budgets: [{ period: 'day' as const, used: 8, limit: 10 }], system: SYSTEM, endpoints: ENDPOINTS }
  expect(attentionOf(status, { now: NOW, firstUsedAt: null, allStoppedAt: null })).toEqual([
    { screen: 'limits', code: 'budget-day', values: { percent: 80 }, text: '80 % of the budget per day is used.' },
  ])
})

test('says first that all answers are stopped, and since when', () => {
  const status = { problems: [{ code: 'redis', detail: 'b' }], budgets: [], system: SYSTEM, endpoints: [] }
  const since = daysAgo(2)
  expect(attentionOf(status, { now: NOW, firstUsedAt: null, allStoppedAt: Date.parse(since) })[0]).toEqual({
    screen: 'stop',
    code: 'stops',
    values: { since },
    text: `All answers have been stopped since ${since}.`,
  })
})
