import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PAGE = join(import.meta.dirname, '..')
/** A box with another measure on its left than on its right says so by inline sides; corners and edges likewise. */
const SIDED =
  /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)[\w-]*:|(?:left|right):|border-(?:top|bottom)-(?:left|right)-radius:|text-align: (?:left|right)|float:)|(?:padding|margin): \S+ (\S+) \S+ (?!\1[;\s])[\d.]+\w*;/

const sidedLinesOf = (styles: string) => styles.split('\n').filter((line) => SIDED.test(line))

test('styles use logical sides, so that right-to-left pages work', () => {
  const files = globSync('**/*.css', { cwd: PAGE })
  const sided = files.map((file) => [file, sidedLinesOf(readFileSync(join(PAGE, file), 'utf8'))] as const)
  expect(sided.filter(([, lines]) => lines.length > 0)).toEqual([])
})

test.each([
  '  left: 0;',
  '  margin-left: 1rem;',
  '  padding: 1rem 2rem 1rem 3rem;',
  '  border-top-left-radius: 0;',
  '  text-align: right;',
])('%s is found', (line) => {
  expect(sidedLinesOf(line)).toHaveLength(1)
})

test.each([
  '  inset-inline-start: 0;',
  '  padding: 1rem 2rem 1rem 2rem;',
  '  padding: 0 1rem max(0.5rem, env(safe-area-inset-bottom));',
  '  &.top-left {',
])('%s is not', (line) => {
  expect(sidedLinesOf(line)).toEqual([])
})
