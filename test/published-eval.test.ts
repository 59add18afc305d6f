import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureJudge } from '../eval/judge-sets.ts'
import { readOptions } from '../eval/options.ts'
import { measurePublished } from '../eval/published-table.ts'
import { startScriptedModel } from './support/scripted-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'published-'))
beforeAll(() => {
  const pair = (claim: string, supported: boolean) => ({ claim, evidence: 'The fee is 10 euros. Anna collects it.', supported })
  const wice = [pair('The fee is 10 euros.', true), pair('The fee is 12 euros.', false), pair('Bob collects it.', false)]
  writeFileSync(join(folder, 'support.json.gz'), gzipSync(JSON.stringify({ wice })))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('published sets are measured as far as the folder has them, each figure beside its baseline', async () => {
  const lines: string[] = []
  await measurePublished({ data: folder, writesReadme: false, json: null }, (line) => lines.push(line))
  expect(lines).toContainEqual(expect.stringMatching(/emergencies\.json\.gz is missing; it is made from AILuminate https:/))
  expect(lines).toContainEqual(
    expect.stringMatching(/^\| WiCE[^|]+\(3\) \| fact check[^|]+\| 0\.75 \(50 %, 100 %\) \| word overlap [\d.]+ [^|]+ \|$/),
  )
})

test('published sets are named with their publishers without a folder', () => {
  expect(() => readOptions(['--published'], {})).toThrow('https://github.com/google-deepmind/xquad')
})

test('a model is measured as a judge, beside the fact check and a judge that rejects nothing', async () => {
  const model = await startScriptedModel()
  model.script(({ prompt }) => [{ text: prompt.includes('Bob') ? '{"unsupported": [], "contradicted": [1]}' : 'Fine!' }])
  const settings = { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm' } as const
  const lines: string[] = []
  await measureJudge({ model: settings }, { data: folder, sample: null }, (line) => lines.push(line))
  expect(lines.at(-1)).toBe('| all (3, 2 unsupported) | 100 %, 50 %, 67 % | 2 | 100 %, 50 %, 67 % | 33 % |')
  await model.close()
})
