import { describe, expect, test } from 'vitest'
import { KeyedSemaphore, Semaphore } from './semaphore.ts'

describe('a semaphore', () => {
  /** Tasks that end on command, and the names of those that have started. */
  function tasksOf(semaphore: Semaphore) {
    const started: string[] = []
    const ends = new Map<string, PromiseWithResolvers<string>>()
    const run = (name: string, signal?: AbortSignal) => {
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      const task = () => {
        started.push(name)
        return end.promise
      }
      return semaphore.run(task, signal).catch((error: Error) => error.message)
    }
    return {
      started,
      run,
      end: (name: string) => ends.get(name)?.resolve(name),
      fail: (name: string) => ends.get(name)?.reject(new Error('failed')),
    }
  }

  test('runs as many tasks as it has slots, and starts the others in order as slots are released', async () => {
    const semaphore = new Semaphore(2)
    const { started, run, end, fail } = tasksOf(semaphore)
    const outcomes = ['a', 'b', 'c', 'd'].map((name) => run(name))
    await expect.poll(() => started).toEqual(['a', 'b'])
    expect(semaphore.waiting).toBe(2)
    end('b')
    expect(await outcomes[1]).toBe('b')
    await expect.poll(() => started).toEqual(['a', 'b', 'c'])
    fail('a')
    expect(await outcomes[0]).toBe('failed')
    await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd'])
    end('c')
    end('d')
    expect(await Promise.all(outcomes)).toEqual(['failed', 'b', 'c', 'd'])
    expect(semaphore.waiting).toBe(0)
    expect(await semaphore.run(async () => 'entered')).toBe('entered')
  })

  test('removes a task that is aborted while it waits', async () => {
    const semaphore = new Semaphore(1)
    const { started, run, end } = tasksOf(semaphore)
    const leaving = new AbortController()
    const outcomes = [run('a'), run('b', leaving.signal), run('c')]
    await expect.poll(() => semaphore.waiting).toBe(2)
    leaving.abort(new Error('left'))
    expect(await outcomes[1]).toBe('left')
    end('a')
    end('c')
    await Promise.all(outcomes)
    expect(started).toEqual(['a', 'c'])
  })

  test('gives no slot to a signal that has aborted already', async () => {
    const semaphore = new Semaphore(1)
    await expect(semaphore.acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(await semaphore.run(async () => 'entered')).toBe('entered')
  })

  test('keeps the slot of an aborted task until the task has ended', async () => {
    const semaphore = new Semaphore(1)
    const { started, run, end } = tasksOf(semaphore)
    const leaving = new AbortController()
    const first = run('a', leaving.signal)
    const second = run('b')
    await expect.poll(() => started).toEqual(['a'])
    leaving.abort(new Error('left'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(started).toEqual(['a'])
    end('a')
    expect(await first).toBe('a')
    end('b')
    expect(await second).toBe('b')
  })

  test('releases a slot once', async () => {
    const semaphore = new Semaphore(1)
    const release = await semaphore.acquire()
    release()
    release()
    const releaseSecond = await semaphore.acquire()
    const third = semaphore.acquire()
    expect(semaphore.waiting).toBe(1)
    releaseSecond()
    await third
  })
})

describe('a keyed semaphore', () => {
  const visitor = { key: 'visitor', limit: 1 }
  const network = { key: 'network', limit: 2 }

  test('takes a slot of every key, or of none', () => {
    const semaphore = new KeyedSemaphore()
    expect(semaphore.tryAcquire([visitor, network])).toBeTypeOf('function')
    expect(semaphore.tryAcquire([network, visitor])).toEqual({ reached: visitor })
    expect(semaphore.count('network')).toBe(1)
    expect(semaphore.tryAcquire([network])).toBeTypeOf('function')
    expect(semaphore.tryAcquire([network])).toEqual({ reached: network })
  })

  test('releases slots once', () => {
    const semaphore = new KeyedSemaphore()
    const [first, second] = [semaphore.tryAcquire([network]), semaphore.tryAcquire([network])]
    if (typeof first !== 'function' || typeof second !== 'function') throw new Error('Both slots were free')
    first()
    first()
    expect(semaphore.count('network')).toBe(1)
    expect(semaphore.tryAcquire([network])).toBeTypeOf('function')
    expect(semaphore.tryAcquire([network])).toEqual({ reached: network })
  })
})
