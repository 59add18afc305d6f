import { expect, test } from 'vitest'
import { figuresOf, measureBuiltin, readBuiltinCases } from '../../../../eval/builtin/measure.ts'

/** Shares of the prompts that have an answer. */
const MIN_USEFUL = { seen: 0.9, unseen: 0.85, 'stranger-seen': 0.75, 'stranger-unseen': 0.75 }
/** Shares of all prompts. */
const MAX_MISLEADING_UNSEEN = 0.03

test.each(['seen', 'stranger-seen'] as const)('answers most prompts of the development set (%s), and none wrongly', async (half) => {
  const judged = await measureBuiltin(readBuiltinCases(`${half}.yaml`))
  const { useful, answerable } = figuresOf(judged)
  const misleading = judged.filter(({ verdict }) => verdict === 'misleading')
  expect(misleading.map(({ one, text }) => `${one.turns.at(-1)?.prompt} → ${text.slice(0, 60)}`)).toEqual([])
  expect(useful / answerable).toBeGreaterThanOrEqual(MIN_USEFUL[half])
})

test.each(['unseen', 'stranger-unseen'] as const)('answers most prompts of the held-out set (%s), and misleads with few', async (half) => {
  const judged = await measureBuiltin(readBuiltinCases(`${half}.yaml`))
  const { useful, answerable, misleading } = figuresOf(judged)
  expect(useful / answerable).toBeGreaterThanOrEqual(MIN_USEFUL[half])
  expect(misleading / judged.length).toBeLessThanOrEqual(MAX_MISLEADING_UNSEEN)
})
