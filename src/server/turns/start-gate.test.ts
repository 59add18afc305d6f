import { expect, test } from 'vitest'
import { StartGate } from './start-gate.ts'

/** Starts that end when they are told to, and the names of those that have begun. */
function starts(gate: StartGate) {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const start = (name: string) => {
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    const outcome = gate.through(() => {
      begun.push(name)
      return end.promise
    })
    return outcome.catch((error: Error) => error.message)
  }
  return {
    begun,
    start,
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string) => ends.get(name)?.reject(new Error('away')),
  }
}

test('lets so many in at a time, and the next when one is out, in order', async () => {
  const { begun, start, end, fail } = starts(new StartGate(2))
  const outcomes = ['a', 'b', 'c', 'd'].map(start)
  expect(begun).toEqual(['a', 'b'])
  end('b')
  await outcomes[1]
  expect(begun).toEqual(['a', 'b', 'c'])
  fail('a')
  expect(await outcomes[0]).toBe('away')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  end('c')
  end('d')
  expect(await Promise.all(outcomes)).toEqual(['away', 'b', 'c', 'd'])
})

test('tells those who wait, when one fails and they have seen none succeed, and lets in whoever comes then', async () => {
  const { begun, start, end, fail } = starts(new StartGate(2))
  const outcomes = ['a', 'b', 'c', 'd', 'e'].map(start)
  fail('a')
  expect(await Promise.all([outcomes[0], ...outcomes.slice(2)])).toEqual(['away', 'away', 'away', 'away'])
  end('b')
  expect(await outcomes[1]).toBe('b')
  const later = start('later')
  end('later')
  expect(await later).toBe('later')
  expect(begun).toEqual(['a', 'b', 'later'])
})
