import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tokensOf } from '../../../../test/support/count-tokens.ts'
import { estimateChatMessage } from './estimate-messages.ts'
import { estimateTokens } from './estimate-tokens.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const all = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => read(join(folder, name)))
    .join('\n')
const sentences = (language: string) => {
  const words = JSON.parse(read(`src/server/translations/messages/${language}.json`)) as Record<string, unknown>
  return Object.values(words)
    .map((value) => (typeof value === 'string' ? value : Object.values(value as object).join(' ')))
    .join('\n')
}
const search = () => {
  const text = all('docs', '.md')
  const passages = Array.from({ length: 12 }, (_, index) => ({
    number: index + 1,
    id: `a${index}Zk3-9fQx_W`,
    title: 'Operations',
    breadcrumb: 'Operations › Before you start',
    address: null,
    score: 1 / (index + 1),
    text: text.slice(index * 2_000, index * 2_000 + 1_200),
  }))
  return JSON.stringify({ passages, topics: [] })
}

/** Counted with o200k_base; none of these texts was used to tune the estimate. */
const TEXTS: Record<string, () => string> = {
  English: () => all('docs/decisions', '.md'),
  German: () => sentences('de'),
  Chinese: () => sentences('zh'),
  code: () => all('scripts', '.mjs'),
  JSON: () => `${read('tsconfig.json')}${read('biome.json')}${read('package.json')}${search()}`,
}
const PIECE_CHARACTERS = 1_500

describe.each(Object.entries(TEXTS))('%s', (_, textOf) => {
  test('is estimated within 15 %, and so are nearly all pieces of it', () => {
    const text = textOf()
    const pieces = Array.from({ length: Math.floor(text.length / PIECE_CHARACTERS) }, (_piece, index) =>
      text.slice(index * PIECE_CHARACTERS, (index + 1) * PIECE_CHARACTERS),
    )
    const ratios = pieces.map((piece) => estimateTokens(piece) / tokensOf(piece))
    const total = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
    expect(Math.abs(total - 1)).toBeLessThan(0.15)
    expect(ratios.filter((ratio) => Math.abs(ratio - 1) <= 0.15).length / ratios.length).toBeGreaterThanOrEqual(0.8)
  })

  test('is estimated equally well by samples if it is long', () => {
    const text = textOf().repeat(20).slice(0, 200_000)
    expect(Math.abs(estimateTokens(text) / tokensOf(text) - 1)).toBeLessThan(0.15)
  })
})

test('a stored message is measured again when it has grown', () => {
  const message = (text: string) => ({ id: 'm_1', role: 'assistant' as const, parts: [{ type: 'text' as const, text }] })
  const short = estimateChatMessage(message('A word.'))
  expect(estimateChatMessage(message('A word and many more of them.'))).toBeGreaterThan(short)
  expect(estimateChatMessage(message('A word.'))).toBe(short)
})
