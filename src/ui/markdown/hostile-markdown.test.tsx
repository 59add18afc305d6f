import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { growthOf, MAX_GROWTH } from '../../../test/support/growth.ts'
import { HOSTILE_MARKDOWN } from '../../../test/support/hostile-markdown.ts'
import { lexBlocks } from './blocks.ts'
import * as marks from './extended-marks.ts'
import { Markdown } from './markdown.tsx'
import { STREAMING } from './streaming-markdown.ts'

/** Characters that the page reads in one task. */
const CHARACTERS = 20_000

const ORDINARY = [
  '## Opening hours', 'We are **open** from *nine* to five, see [the page](https://example.org/hours) or call `0123 456`.',
  '- Monday: closed\n- Tuesday: nine to five\n  - by appointment: until seven\n- Wednesday: nine to five', '1. Ring the bell.\n2. Wait.',
  '> Please come on time.\n> Thank you.', '| day | open |\n|-----|------|\n| Mon | no   |\n| Tue | yes  |', '```ts\nconst open = 9\n```',
  'On holidays we are closed. Write to shop@example.org, or come back later: the rest of the year is as above.',
].join('\n\n') // biome-ignore format: one block a line

const ordinary = (characters: number) => `${ORDINARY}\n\n`.repeat(Math.ceil(characters / ORDINARY.length)).slice(0, characters)

/** CPU microseconds of this thread, which other work on the machine hardly changes. The clock may tick only every few milliseconds. */
function costOf(act: () => unknown, times: number): number {
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time += 1) act()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/** The work of one task with a text that has arrived: reads it with all extensions, and renders the first part. */
const show = (text: string) => [lexBlocks(text, undefined, marks), renderToStaticMarkup(<Markdown text={text} />)]

/** The work of the page with the next piece of a long answer. */
function nextPieceOf(text: string): () => unknown {
  const before = lexBlocks(marks.complete(text.slice(0, -100)), undefined, marks, STREAMING)
  return () => lexBlocks(marks.complete(text), before, marks, STREAMING)
}

let usual: number
let errors: MockInstance
beforeAll(() => {
  show(ordinary(CHARACTERS))
  usual = costOf(() => lexBlocks(ordinary(CHARACTERS), undefined, marks), 20) / 20
})
beforeEach(() => {
  errors = vi.spyOn(console, 'error')
})
afterEach(() => {
  expect(errors).not.toHaveBeenCalled()
  errors.mockRestore()
})

describe.each(Object.entries(HOSTILE_MARKDOWN))('%s', (_name, hostile) => {
  test('are shown whole, in time that grows with the length alone', async () => {
    const text = hostile(CHARACTERS)
    expect(
      lexBlocks(text, undefined, marks)
        .blocks.map(({ raw }) => raw)
        .join(''),
    ).toBe(text)
    expect(await growthOf((characters) => show(hostile(characters)), CHARACTERS / 4)).toBeLessThan(MAX_GROWTH)
  })

  test('cost each piece of a streaming answer a small part of that', () => {
    const cost = costOf(nextPieceOf(hostile(2 * CHARACTERS)), 1)
    expect(cost / usual).toBeLessThan(20)
  })
})
