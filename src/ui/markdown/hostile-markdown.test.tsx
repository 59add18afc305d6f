import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { HOSTILE_MARKDOWN } from '../../../test/support/hostile-markdown.ts'
import { lexBlocks } from './blocks.ts'
import * as marks from './extended-marks.ts'
import { Markdown } from './markdown.tsx'

/** Characters that the page reads in one task. */
const CHARACTERS = 20_000

let errors: MockInstance
beforeEach(() => {
  errors = vi.spyOn(console, 'error')
})
afterEach(() => {
  expect(errors).not.toHaveBeenCalled()
  errors.mockRestore()
})

// The time is measured by `npm run bench -- hostile-marks`.
describe.each(Object.entries(HOSTILE_MARKDOWN))('%s', (_name, hostile) => {
  test('are shown whole', () => {
    const text = hostile(CHARACTERS)
    expect(
      lexBlocks(text, undefined, marks)
        .blocks.map(({ raw }) => raw)
        .join(''),
    ).toBe(text)
    expect(renderToStaticMarkup(<Markdown text={text} />)).not.toBe('')
  })

  test('are shown whole piece by piece', () => {
    const text = hostile(2 * CHARACTERS)
    const before = lexBlocks(marks.complete(text.slice(0, -100)), undefined, marks)
    expect(lexBlocks(marks.complete(text), before, marks).blocks.length).toBeGreaterThan(0)
  })
})
