import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { IterationQueue } from './iteration-queue.ts'

test('lets as many tasks begin in an iteration as it is told, in order, and all of them in the end', async () => {
  const queue = new IterationQueue(2)
  let iteration = 0
  const begun: [task: number, iteration: number][] = []
  const tasks = Array.from({ length: 7 }, async (_, task) => {
    await queue.next()
    begun.push([task, iteration])
  })
  for (; begun.length < tasks.length; iteration += 1) await nextIteration()
  expect(begun.map(([task]) => task)).toEqual([0, 1, 2, 3, 4, 5, 6])
  const counts = Array.from({ length: iteration }, (_, index) => begun.filter(([, begunIn]) => begunIn === index).length)
  expect(Math.max(...counts)).toBe(2)
})

test('delays no task that is alone in its iteration', async () => {
  const queue = new IterationQueue(1)
  for (let task = 0; task < 3; task += 1) {
    let isNextIteration = false
    setImmediate(() => (isNextIteration = true))
    await queue.next()
    expect(isNextIteration).toBe(false)
    await nextIteration()
  }
})
