import { expect, test } from 'vitest'
import { capsOn, isBusy, LIMIT_SETTINGS, type Limits, LIMITS, quotasOn } from './limit-settings.ts'

const names = Object.keys(LIMITS) as (keyof typeof LIMITS)[]
const settings = Object.keys(LIMIT_SETTINGS) as (keyof typeof LIMIT_SETTINGS)[]
const DEFAULTS = Object.fromEntries(names.map((name) => [name, LIMITS[name].defaultValue])) as Record<keyof typeof LIMITS, number>
const limitsWith = (change: Partial<Limits> = {}): Limits => ({ ...DEFAULTS, limitLoopback: false, ...change })

const COUNTED: Record<string, string> = {
  PROMPTS: 'prompt',
  NEW_VISITORS: 'new-visitor',
  TOKENS: 'token',
  RUNNING_TURNS: 'turn',
  STREAMS: 'stream',
}

test.each(settings)('the limit %s counts what its setting says, of whom and within what it says', (name) => {
  const { setting, what, of, per, description } = LIMIT_SETTINGS[name]
  const [, scope = '', counted = '', window] = /^(?:LIMIT|MAX)_(NETWORK_|ALL_)?(\w+?)(?:_PER_(\w+))?$/.exec(setting) ?? []
  const isOfServer = scope === 'ALL_' || setting.startsWith('MAX_')
  expect({ what, of, per }).toEqual({
    what: COUNTED[counted],
    // Who creates visitors is none yet.
    of: isOfServer ? 'server' : scope === 'NETWORK_' || counted === 'NEW_VISITORS' ? 'network' : 'visitor',
    per: window?.toLowerCase() ?? 'at-once',
  })
  expect(description).toMatch({ visitor: /per visitor/, network: /per network/, server: /per process|in total/ }[of])
  expect(description).toContain(per === 'at-once' ? '' : per)
})

test('a visitor is told which limit it was', () => {
  const codes = Object.groupBy(names, (name) => LIMITS[name].code)
  expect(codes).toEqual({
    server_busy: ['allRunningTurns', 'waitingPrompts', 'networkConnections'],
    too_many_prompts: ['promptsPerMinute', 'networkPromptsPerMinute'],
    daily_prompts_used: ['promptsPerDay', 'networkPromptsPerDay'],
    too_many_visitors: ['newVisitorsPerHour', 'allNewVisitorsPerHour'],
    too_many_requests: [
      'readsPerMinute',
      'networkReadsPerMinute',
      'writesPerMinute',
      'networkWritesPerMinute',
      'pollsPerMinute',
      'networkPollsPerMinute',
    ],
    too_many_files: ['filesPerHour', 'networkFilesPerHour'],
    too_many_turns: ['runningTurns', 'networkRunningTurns'],
    too_many_streams: ['streams', 'networkStreams', 'allStreams'],
    daily_tokens_used: ['tokensPerDay', 'networkTokensPerDay'],
  })
})

test('a network gets at least three times as much as a visitor unless the operator says otherwise', () => {
  for (const name of names) {
    const ofNetwork = `network${name[0]!.toUpperCase()}${name.slice(1)}` as keyof typeof LIMITS
    if (!(ofNetwork in LIMITS)) continue
    const factor = name === 'streams' ? 5 : name === 'tokensPerDay' ? 4 : 3
    expect([name, DEFAULTS[ofNetwork]]).toEqual([name, factor * DEFAULTS[name]])
  }
})

test('a /48 gets four times the quota of a network, and a server none of it', () => {
  expect(quotasOn('prompt', limitsWith({ networkPromptsPerMinute: 5 })).map(({ of, window, limit }) => [of, window, limit])).toEqual([
    ['visitor', 'minute', 10],
    ['visitor', 'day', 100],
    ['network', 'minute', 5],
    ['wide', 'minute', 20],
    ['network', 'day', 300],
    ['wide', 'day', 1_200],
  ])
  expect(capsOn('prompt', limitsWith())).toEqual([])
  expect(quotasOn('stream', limitsWith())).toEqual([])
  expect(capsOn('stream', limitsWith()).map(({ of, limit }) => [of, limit])).toEqual([
    ['visitor', 4],
    ['network', 20],
    ['wide', 80],
    ['server', 10_000],
  ])
})

test('a network is busy above its share of a quota, and a visitor never is', () => {
  const limits = limitsWith({ networkPromptsPerMinute: 10 })
  const usage = (of: string, used: number) => {
    const quota = quotasOn('prompt', limits).find((one) => one.of === of)!
    return { quota, used }
  }
  expect(isBusy([usage('network', 5)])).toBe(false)
  expect(isBusy([usage('network', 6)])).toBe(true)
  expect(isBusy([usage('wide', 21)])).toBe(true)
  expect(isBusy([usage('visitor', 10)])).toBe(false)
})
