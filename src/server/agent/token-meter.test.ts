import { expect, test } from 'vitest'
import { estimateTokens, TokenMeter } from './token-meter.ts'

test('adds up what the model says of each step', () => {
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

test('estimates what the model does not say, and a step that never ended', () => {
  const meter = new TokenMeter()
  meter.begin(100)
  meter.wrote('12345')
  meter.end({ inputTokens: undefined, outputTokens: undefined })
  meter.begin(200)
  meter.wrote('1234567890')
  expect(meter.used).toEqual({ inputTokens: 300, outputTokens: 6 })
})

test('takes a text for at least as many tokens as models do', () => {
  // Counted with o200k_base.
  const counted = [
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['Der schnelle braune Fuchs springt über den faulen Hund.', 14],
    ['敏捷的棕色狐狸跳过了懒狗。', 13],
    ['{"expression":"(1+2)*3"}', 9],
  ] as const
  for (const [text, tokens] of counted) expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens)
})
