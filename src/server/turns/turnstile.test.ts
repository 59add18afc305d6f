import { expect, test } from 'vitest'
import { Turnstile } from './turnstile.ts'

test('lets a single caller pass at once', async () => {
  const turnstile = new Turnstile()
  const order: string[] = []
  setImmediate(() => order.push('event loop'))
  await turnstile.pass('start')
  order.push('passed')
  expect(order).toEqual(['passed'])
})

test('lets a burst through in its order, in groups, each in a pass of the event loop of its own', async () => {
  const turnstile = new Turnstile()
  let pass = 0
  let counting = true
  const count = () => {
    pass += 1
    if (counting) setImmediate(count)
  }
  count()
  const passes: [number, number][] = []
  await Promise.all(
    Array.from({ length: 17 }, async (_, caller) => {
      await turnstile.pass('start')
      passes.push([caller, pass])
    }),
  )
  counting = false
  expect(passes.map(([caller]) => caller)).toEqual(Array.from({ length: 17 }, (_, caller) => caller))
  const groups = Map.groupBy(passes, ([, at]) => at)
  expect([...groups.values()].map((group) => group.length)).toEqual([1, 8, 8])
})

test('lets starts go before ends that came earlier', async () => {
  const turnstile = new Turnstile()
  const order: string[] = []
  const callers = (['start', 'end', 'end', 'start'] as const).map(async (as, index) => {
    await turnstile.pass(as)
    order.push(`${as} ${index}`)
  })
  await Promise.all(callers)
  expect(order).toEqual(['start 0', 'start 3', 'end 1', 'end 2'])
})
