import { expect, test } from 'vitest'
import { wholeSentences } from './sentences.ts'

const ANSWER = 'Hello there. This is **bold**, e.g. 3.5 of it! See [the page](https://example.org/a.b).\n\n```ts\nconst a = 1. \n```\n\n- First\n- Second one'

test('holds a sentence back until it is complete', () => {
  expect(wholeSentences('Hello there. This is', true)).toEqual(['Hello there.'])
  expect(wholeSentences('Hello there. This is', false)).toEqual(['Hello there.', 'This is'])
})

test('says each sentence once, whatever the steps in which the text grows', () => {
  const said: string[] = []
  for (let length = 1; length <= ANSWER.length; length++) {
    said.push(...wholeSentences(ANSWER.slice(0, length), true).slice(said.length))
  }
  said.push(...wholeSentences(ANSWER, false).slice(said.length))
  expect(said).toEqual(wholeSentences(ANSWER, false))
})

test('speaks no code and no marks', () => {
  const said = wholeSentences(ANSWER, false).join('\n')
  expect(said).toContain('Code block.')
  expect(said).toContain('See the page')
  expect(said).not.toMatch(/const|\*|https/)
})
