import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { abortable, onAbort, settledOrAborted } from './abort.ts'

const reason = new Error('stopped')
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

describe('onAbort', () => {
  test('calls the listener once with the reason', () => {
    const controller = new AbortController()
    const listener = vi.fn<(reason: Error) => void>()
    onAbort(controller.signal, listener)
    expect(listener).not.toHaveBeenCalled()
    controller.abort(reason)
    expect(listener.mock.calls).toEqual([[reason]])
  })

  test('calls the listener at once if the signal has aborted', () => {
    const listener = vi.fn<(reason: Error) => void>()
    onAbort(AbortSignal.abort(reason), listener)
    expect(listener.mock.calls).toEqual([[reason]])
  })

  test('does not call a removed listener', () => {
    const controller = new AbortController()
    const listener = vi.fn<(reason: Error) => void>()
    onAbort(controller.signal, listener)()
    controller.abort(reason)
    expect(listener).not.toHaveBeenCalled()
  })
})

describe('abortable', () => {
  test('settles as the promise does and leaves no listener', async () => {
    const { signal } = new AbortController()
    expect(await abortable(Promise.resolve(1), signal)).toBe(1)
    await expect(abortable(Promise.reject(reason), signal)).rejects.toBe(reason)
    expect(await abortable(Promise.resolve(2), undefined)).toBe(2)
    expect(listenersOf(signal)).toBe(0)
  })

  test('rejects with the reason when the signal aborts first', async () => {
    const controller = new AbortController()
    const waiting = abortable(new Promise(() => {}), controller.signal)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
})

describe('settledOrAborted', () => {
  test('resolves with the promise or with the abort, and leaves no listener', async () => {
    const controller = new AbortController()
    await settledOrAborted(Promise.resolve(1), controller.signal)
    expect(listenersOf(controller.signal)).toBe(0)
    const waiting = settledOrAborted(new Promise(() => {}), controller.signal)
    controller.abort(reason)
    expect(await waiting).toBeUndefined()
    expect(await settledOrAborted(new Promise(() => {}), controller.signal)).toBeUndefined()
  })

  test('rejects as the promise does', async () => {
    await expect(settledOrAborted(Promise.reject(reason), new AbortController().signal)).rejects.toBe(reason)
  })
})
