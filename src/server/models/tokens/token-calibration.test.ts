import { expect, test } from 'vitest'
import { TokenCalibration, TokenCalibrations } from './token-calibration.ts'

test("approaches a model's counts, and returns the ratio of each call", () => {
  const calibration = new TokenCalibration()
  for (let call = 0; call < 30; call += 1) expect(calibration.learn(1_000, 1_300)).toBeCloseTo(1.3)
  expect(calibration.factor).toBeCloseTo(1.3, 2)
})

test.each([
  ['nothing', 1_000, undefined],
  ['one token', 1_000, 1],
  ['a hundred times as many', 1_000, 100_000],
  ['no number', 1_000, Number.NaN],
  ['a call too short to tell', 50, 100],
])('learns nothing from a report of %s', (_, estimated, reported) => {
  const calibration = new TokenCalibration()
  expect(calibration.learn(estimated, reported)).toBeNull()
  expect(calibration.factor).toBe(1)
})

test('is separate for each model', () => {
  const calibrations = new TokenCalibrations()
  calibrations.of('large').learn(1_000, 2_000)
  expect(calibrations.of('large').factor).toBeGreaterThan(1)
  expect(calibrations.of('small').factor).toBe(1)
})
