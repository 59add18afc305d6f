import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type ParserOutcome, parseApart } from './parser-process.ts'

const LIMITS = { timeMs: 1_000, residentBytes: 512 * 1024 * 1024 }

/** Runs a parser whose body this is; it has `request`. */
function run(body: string, limits = LIMITS): Promise<ParserOutcome<unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-parser-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'parser.mjs')
  const library = pathToFileURL(join(import.meta.dirname, 'serve-parser.ts')).href
  writeFileSync(file, `import { serveParser } from ${JSON.stringify(library)}\nserveParser(async (request) => { ${body} })\n`)
  return parseApart({ url: pathToFileURL(file), ...limits }, { text: 'a' })
}

test('a parser that waits for its turn, as on a busy machine, may take longer than its limit', async () => {
  const outcome = await run('await new Promise((resolve) => setTimeout(resolve, 4_500)); return request.text', { ...LIMITS, timeMs: 4_000 })
  expect(outcome).toEqual({ kind: 'parsed', value: 'a' })
})

test('a parser that works for longer than its limit is ended', async () => {
  expect(await run('for (;;);')).toEqual({ kind: 'failed', reason: 'time' })
})
