import { expect, test } from 'vitest'
import { TokenMeter } from './token-meter.ts'

test('sums up the reported usage of each step', () => {
  const meter = new TokenMeter()
  for (const [input, output] of [
    [10, 5],
    [30, 7],
  ] as const) {
    meter.begin(1_000)
    meter.wrote('some text')
    meter.end({ inputTokens: input, outputTokens: output })
  }
  expect(meter.used).toEqual({ inputTokens: 40, outputTokens: 12 })
})

test('estimates unreported usage, and a step that never ended', () => {
  const meter = new TokenMeter()
  meter.begin(100)
  meter.wrote('12345')
  meter.end({ inputTokens: undefined, outputTokens: undefined })
  meter.begin(200)
  meter.wrote('1234567890')
  expect(meter.used).toEqual({ inputTokens: 300, outputTokens: 6 })
})
