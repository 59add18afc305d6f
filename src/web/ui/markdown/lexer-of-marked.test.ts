import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Marked from 'marked'
import { Lexer } from 'marked'
import { beforeAll, expect, test } from 'vitest'
import { lexerOfMarked } from '../../../../scripts/lexer-of-marked.mjs'

const BUNDLE = readFileSync(fileURLToPath(import.meta.resolve('marked')), 'utf8')
const MARKS = ['[a](b "c")', '**', '*', '_', '~~', '`', '\n', '\n\n', '> ', '- ', '1. ', '  ', '# ', '|a|b|\n|-|:-:|\n', '<b>', '&amp;', 'www.a.org ', 'x@y.org', '[ ] ', '```', '\\', '![', '](', 'word ', '---', '[a]: /b\n'] // biome-ignore format: a table

let own: typeof Marked
beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'lexer-')), 'lexer.mjs')
  writeFileSync(file, lexerOfMarked(BUNDLE) ?? '')
  own = await import(pathToFileURL(file).href)
})

const texts = (): string[] => [
  ...globSync('{*.md,docs/**/*.md}', { cwd: join(import.meta.dirname, '../../../..') }).map((path) =>
    readFileSync(join(import.meta.dirname, '../../../..', path), 'utf8'),
  ),
  ...Array.from({ length: 200 }, (_, seed) =>
    Array.from({ length: 12 }, (__, index) => MARKS[(seed * 31 + index * (seed + 7)) % MARKS.length]).join(''),
  ),
]

test('reads Markdown as marked does', () => {
  for (const text of texts()) expect(new own.Lexer({ gfm: true }).lex(text)).toEqual(new Lexer({ gfm: true }).lex(text))
})

test('is much smaller', () => {
  expect((lexerOfMarked(BUNDLE) ?? '').length).toBeLessThan(BUNDLE.length * 0.8)
})

test('fails with a clear error if the bundle has another form', () => {
  expect(lexerOfMarked(BUNDLE.replaceAll('normal:', 'usual:'))).toBeUndefined()
})
