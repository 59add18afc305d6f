import { expect, test } from 'vitest'
import { figuresOf, measureBuiltin, readBuiltinCases } from '../../../eval/builtin/measure.ts'

/** Shares of the prompts that have an answer. */
const MIN_USEFUL = { seen: 0.9, unseen: 0.75 }

test('of the prompts that it was built with, nearly all are answered, and none with what is not the answer', async () => {
  const judged = await measureBuiltin(readBuiltinCases('seen.yaml'))
  const { useful, answerable } = figuresOf(judged)
  const misleading = judged.filter(({ verdict }) => verdict === 'misleading')
  expect(misleading.map(({ one, text }) => `${one.turns.at(-1)?.prompt} → ${text.slice(0, 60)}`)).toEqual([])
  expect(useful / answerable).toBeGreaterThanOrEqual(MIN_USEFUL.seen)
})

test('of the prompts that nobody looked at while building, most are answered', async () => {
  const { useful, answerable } = figuresOf(await measureBuiltin(readBuiltinCases('unseen.yaml')))
  expect(useful / answerable).toBeGreaterThanOrEqual(MIN_USEFUL.unseen)
})
