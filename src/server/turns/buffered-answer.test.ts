import { describe, expect, test } from 'vitest'
import { bufferedAnswer } from './buffered-answer.ts'

/** An answer that records how far it was read and whether it was ended. */
function answerOf(chunks: readonly string[], failure?: Error) {
  const state = { written: 0, isEnded: false }
  async function* write() {
    try {
      for (const chunk of chunks) {
        state.written += 1
        yield chunk
      }
      if (failure) throw failure
    } finally {
      state.isEnded = true
    }
  }
  return { state, chunks: write() }
}

async function read(chunks: AsyncIterable<string>): Promise<string[]> {
  const shown: string[] = []
  for await (const chunk of chunks) shown.push(chunk)
  return shown
}

describe('an answer that waits for a verdict', () => {
  test('is written meanwhile, and shown whole and in order when nothing replaces it', async () => {
    const { state, chunks } = answerOf(['one', 'two', 'three'])
    const verdict = Promise.withResolvers<boolean>()
    const shown = read(bufferedAnswer(chunks, { replaces: verdict.promise, abort: () => {} }))
    await expect.poll(() => state.isEnded).toBe(true)
    verdict.resolve(false)
    expect(await shown).toEqual(['one', 'two', 'three'])
  })

  test('is shown as it is written once the verdict is known', async () => {
    const { chunks } = answerOf(['one', 'two'])
    expect(await read(bufferedAnswer(chunks, { replaces: Promise.resolve(false), abort: () => {} }))).toEqual(['one', 'two'])
  })

  test('is ended and dropped when it is replaced', async () => {
    const { state, chunks } = answerOf(['one', 'two'])
    const verdict = Promise.withResolvers<boolean>()
    let aborted = 0
    const shown = read(bufferedAnswer(chunks, { replaces: verdict.promise, abort: () => (aborted += 1) }))
    await expect.poll(() => state.written).toBeGreaterThan(0)
    verdict.resolve(true)
    expect([await shown, aborted, state.isEnded]).toEqual([[], 1, true])
  })

  test('that fails shows what it has and then fails, or is dropped, by the verdict', async () => {
    const failing = () => answerOf(['one'], new Error('The model failed')).chunks
    const shown: string[] = []
    const reading = (async () => {
      for await (const chunk of bufferedAnswer(failing(), { replaces: Promise.resolve(false), abort: () => {} })) shown.push(chunk)
    })()
    await expect(reading).rejects.toThrow('The model failed')
    expect(shown).toEqual(['one'])
    expect(await read(bufferedAnswer(failing(), { replaces: Promise.resolve(true), abort: () => {} }))).toEqual([])
  })

  test('is not read further than its limit', async () => {
    const { state, chunks } = answerOf(Array.from({ length: 5_000 }, (_, index) => String(index)))
    const verdict = Promise.withResolvers<boolean>()
    const shown = read(bufferedAnswer(chunks, { replaces: verdict.promise, abort: () => {} }))
    await expect.poll(() => state.written).toBeGreaterThanOrEqual(1_000)
    expect(state.written).toBeLessThan(1_100)
    verdict.resolve(false)
    expect(await shown).toHaveLength(5_000)
  })
})
