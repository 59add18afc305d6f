import { expect, test } from 'vitest'
import { readSettings } from './config.ts'

test.each([
  [undefined, []],
  ['off', []],
  ['on', ['prompts', 'useful', 'not-covered', 'times']],
  ['times, useful', ['useful', 'times']],
])('SCORECARD=%s shows %j', (value, shown) => {
  expect(readSettings({ SCORECARD: value }).scorecard).toEqual(shown)
})

test.each([
  [{ SCORECARD: 'all' }, 'SCORECARD must be off, on, or a list'],
  [{ SCORECARD: 'useful,on' }, 'SCORECARD must be off, on, or a list'],
  [{ SCORECARD: 'on', CONSOLE_PORT: 'off' }, 'SCORECARD needs the daily figures'],
  [{ SCORECARD: 'useful', PORT: '0' }, 'set CONSOLE_PORT to a port'],
])('rejects %j', (settings, mistake) => {
  expect(() => readSettings(settings)).toThrow(mistake)
})

test('needs no console if it is off', () => {
  expect(readSettings({ SCORECARD: 'off', CONSOLE_PORT: 'off' }).scorecard).toEqual([])
})
