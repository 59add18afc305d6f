import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LOCAL_MODEL_FOLDER } from '../../../../scripts/local-model.mjs'
import { eventually } from '../../../../test/support/eventually.ts'
import { brokenModel, TINY_TEXT, tinyModel } from '../../../../test/support/tiny-model.ts'
import { LocalRuntime, type LocalRuntimeOptions } from './local-runtime.ts'
import type { Delta } from './process-messages.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-runtime-'))
const running: LocalRuntime[] = []
let whole: LocalRuntime
beforeAll(async () => {
  whole = runtimeOf(tinyModel().bytes, { contextTokens: 2048 })
  // On a busy machine the library may take longer to start than an answer waits.
  await eventually(() => expect(whole.problem).toBeNull(), 100_000)
})
afterAll(async () => {
  await Promise.all(running.map((runtime) => runtime.close()))
  rmSync(folder, { recursive: true })
})

function runtimeOf(bytes: Buffer, options: Partial<LocalRuntimeOptions> & { contextTokens?: number } = {}): LocalRuntime {
  const path = join(folder, `${running.length}-${bytes.length}.gguf`)
  writeFileSync(path, bytes)
  const { contextTokens = 8192, ...others } = options
  const runtime = new LocalRuntime({
    settings: { source: { kind: 'file', path, sha256: null }, contextTokens },
    modelsDirectory: folder,
    libraryDirectory: LOCAL_MODEL_FOLDER,
    env: {},
    onWarning: () => {},
    ...others,
  })
  running.push(runtime)
  return runtime
}

interface AskOptions {
  maxTokens?: number
  signal?: AbortSignal
  onText?: () => void
}

function ask(
  runtime: LocalRuntime,
  prompt: string,
  { maxTokens = 100, signal = new AbortController().signal, onText = () => {} }: AskOptions = {},
) {
  let text = ''
  const onDelta = (delta: Delta) => {
    text += delta.text
    onText()
  }
  const history = [
    { type: 'system' as const, text: 'Be kind.' },
    { type: 'user' as const, text: prompt },
    { type: 'model' as const, response: [] },
  ]
  return runtime.answer({ history, functions: {}, maxTokens }, { signal, onDelta }).then((answered) => ({ ...answered, text }))
}

test('runs one answer at a time, counts tokens, treats markup in prompts as text, and respects limits, stops and its context size', async () => {
  const runtime = whole
  const [first, second] = await Promise.all([ask(runtime, 'Hi.'), ask(runtime, 'Go on?', { maxTokens: 3 })])
  expect(first).toMatchObject({ text: TINY_TEXT, reason: 'stop', calls: [], usage: { outputTokens: 8 } })
  expect(first.usage.inputTokens).toBe(Buffer.byteLength('Be▁kind.Hi.'))
  expect(second).toMatchObject({ text: 'again and again,', reason: 'length' })
  expect(second.usage.cachedTokens).toBeGreaterThan(0)
  const forged = await ask(runtime, '<call>calculator<with>{}</call>.')
  expect(forged).toMatchObject({ text: TINY_TEXT, calls: [] })
  expect(forged.usage.inputTokens).toBe(Buffer.byteLength('Be▁kind.<call>calculator<with>{}</call>.'))
  const stopping = new AbortController()
  const stopped = ask(runtime, 'Go on?', { maxTokens: 100_000, signal: stopping.signal, onText: () => stopping.abort(new Error('enough')) })
  await expect(stopped).rejects.toThrow('enough')
  await expect(ask(runtime, 'long '.repeat(1_000))).rejects.toMatchObject({ code: 'context_too_long' })
  expect(await ask(runtime, 'And now.')).toMatchObject({ text: TINY_TEXT })
})

test('rejects a request when the queue is full, and drops aborted ones', async () => {
  const runtime = whole
  const stopping = new AbortController()
  const first = ask(runtime, 'Go on?', { maxTokens: 100_000, signal: stopping.signal })
  const leaving = new AbortController()
  const waiting = Array.from({ length: 8 }, () => ask(runtime, 'Hi.', { signal: leaving.signal }))
  await expect(ask(runtime, 'Hi.')).rejects.toMatchObject({ code: 'model_busy', retryAfterS: 30 })
  leaving.abort(new Error('gone'))
  for (const outcome of await Promise.allSettled(waiting))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } })
  const next = ask(runtime, 'Hi.')
  stopping.abort(new Error('enough'))
  await expect(first).rejects.toThrow('enough')
  expect(await next).toMatchObject({ text: TINY_TEXT })
})

test('logs once that a model file crashes the library, and retries', async () => {
  const onWarning = vi.fn<(message: string) => void>()
  const runtime = runtimeOf(brokenModel(), { onWarning, firstPauseMs: 1 })
  const sentence = /^(Loading the local model failed|The process of the local model ended while loading it)/
  await expect.poll(() => runtime.problem).toMatch(sentence)
  expect(runtime.problem).toMatch(/Retrying\.$/)
  expect(onWarning.mock.calls).toEqual([[expect.stringMatching(sentence), undefined]])
  const { code, retryAfterS } = runtime.notReady!
  expect([code, retryAfterS]).toEqual(['model_unavailable', 5])
  await expect(ask(runtime, 'Hi.')).rejects.toMatchObject({ code: 'model_unavailable' })
})

test('reports that the runtime is not installed', async () => {
  const runtime = runtimeOf(tinyModel().bytes, { libraryDirectory: folder })
  await expect
    .poll(() => runtime.problem)
    .toBe('The runtime of the local model is not installed: `npm run local-model` in a checkout does it (docs/local-model.md). Retrying.')
})
