import { expect, test } from 'vitest'
import { diffLines } from './line-diff.ts'

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)

test('a changed line is one removed and one added between those that stay', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c'])
  expect(shown('a\nb', 'a\nb')).toEqual([' a', ' b'])
  expect(shown('a\nb\nc\nd', 'b\nx\nd\ne')).toEqual(['-a', ' b', '-c', '+x', ' d', '+e'])
})

test('both texts can be read from the lines, whatever they are', () => {
  const texts = ['', 'a', 'a\na\nb', 'b\na\n\na', 'c\nb\na', `${'x\n'.repeat(3_000)}y`, `y\n${'z\n'.repeat(3_000)}`]
  for (const before of texts)
    for (const after of texts) {
      const lines = diffLines(before, after)
      const side = (other: string) =>
        lines
          .filter(({ kind }) => kind !== other)
          .map(({ text }) => text)
          .join('\n')
      expect([side('added'), side('removed')]).toEqual([before, after])
    }
})
