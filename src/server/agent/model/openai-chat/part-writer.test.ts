import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { PartWriter } from './part-writer.ts'

const start: LanguageModelV4StreamPart = { type: 'text-start', id: 'a' }
const word = (delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 'a', delta })
const end: LanguageModelV4StreamPart = { type: 'text-end', id: 'a' }

function writing() {
  let writer!: PartWriter
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => {
      writer = new PartWriter(controller)
    },
  })
  const out: LanguageModelV4StreamPart[] = []
  const reader = stream.getReader()
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) out.push(next.value)
  })()
  return { writer, out, reader, reading }
}

/** More microtasks than any part needs. */
async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
}

test('writes the first text separately, and keeps the order', async () => {
  const { writer, out, reading } = writing()
  for (const part of [start, word('one'), word(' two'), end]) writer.write(part)
  writer.close()
  await microtasks()
  expect(out).toEqual([start, word('one')])
  await reading
  expect(out).toEqual([start, word('one'), word(' two'), end])
})

test('does not delay later text', async () => {
  const { writer, out } = writing()
  writer.write(word('one'))
  await nextTurn()
  writer.write(word(' two'))
  writer.write(end)
  await microtasks()
  expect(out).toEqual([word('one'), word(' two'), end])
})

test('discards waiting parts when the stream fails or is cancelled', async () => {
  const failed = writing()
  failed.writer.write(word('one'))
  failed.writer.write(end)
  await microtasks()
  failed.writer.fail(new Error('stopped'))
  await expect(failed.reading).rejects.toThrow('stopped')

  const left = writing()
  left.writer.write(word('one'))
  left.writer.write(end)
  await left.reader.cancel()
  left.writer.drop()
  await nextTurn()
  expect([failed.out, left.out]).toEqual([[word('one')], [word('one')]])
})
