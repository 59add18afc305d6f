import { expect, test } from 'vitest'
import { StartQueue } from './start-queue.ts'

/** Starts that settle on command, and the names of those that have begun. */
function startsOf(queue: StartQueue) {
  const begun: string[] = []
  const settlers = new Map<string, PromiseWithResolvers<string>>()
  const start = (name: string) => {
    const settler = Promise.withResolvers<string>()
    settlers.set(name, settler)
    const outcome = queue.run(() => {
      begun.push(name)
      return settler.promise
    })
    return outcome.catch((error: Error) => error.message)
  }
  return {
    begun,
    start,
    succeed: (name: string) => settlers.get(name)?.resolve(name),
    fail: (name: string) => settlers.get(name)?.reject(new Error('unavailable')),
  }
}

test('runs the next start in order when one has ended', async () => {
  const { begun, start, succeed } = startsOf(new StartQueue(2))
  const outcomes = ['a', 'b', 'c'].map(start)
  await expect.poll(() => begun).toEqual(['a', 'b'])
  succeed('b')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  succeed('a')
  succeed('c')
  expect(await Promise.all(outcomes)).toEqual(['a', 'b', 'c'])
})

test('keeps starts queued since the last success when one fails', async () => {
  const { begun, start, succeed, fail } = startsOf(new StartQueue(2))
  const outcomes = ['a', 'b', 'c', 'd'].map(start)
  succeed('b')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  fail('a')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd'])
  succeed('c')
  succeed('d')
  expect(await Promise.all(outcomes)).toEqual(['unavailable', 'b', 'c', 'd'])
})

test('fails queued starts with one that fails before any success, and runs later ones', async () => {
  const { begun, start, succeed, fail } = startsOf(new StartQueue(2))
  const outcomes = ['a', 'b', 'c', 'd', 'e'].map(start)
  await expect.poll(() => begun).toEqual(['a', 'b'])
  fail('a')
  expect(await Promise.all([outcomes[0], ...outcomes.slice(2)])).toEqual(Array.from({ length: 4 }, () => 'unavailable'))
  succeed('b')
  expect(await outcomes[1]).toBe('b')
  const later = start('later')
  succeed('later')
  expect(await later).toBe('later')
  const more = ['f', 'g', 'h'].map(start)
  await expect.poll(() => begun).toEqual(['a', 'b', 'later', 'f', 'g'])
  succeed('f')
  await expect.poll(() => begun).toContain('h')
  succeed('g')
  succeed('h')
  expect(await Promise.all(more)).toEqual(['f', 'g', 'h'])
})
