import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCases } from '../eval/cases.ts'
import { type ScriptedModel, startScriptedModel } from './support/scripted-model.ts'

const ROOT = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'eval-'))
let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
})
afterAll(async () => {
  await model.close()
  rmSync(directory, { recursive: true })
})

/** Runs the command as npm does, with these cases, or the shipped ones. */
function evaluate(cases: string | null, env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const file = join(directory, 'cases.yaml')
  if (cases !== null) writeFileSync(file, cases)
  const args = ['--disable-warning=ExperimentalWarning', 'eval/run.ts', ...(cases === null ? [] : [file])]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout }),
    )
  })
}

describe('npm run eval', () => {
  test('finds the built-in assistant right in every shipped case', async () => {
    const { code, output } = await evaluate(null)
    expect(output).not.toContain('WRONG')
    expect(code).toBe(0)
  })

  test('says what is wrong with the answers of any model, and ends with 1', async () => {
    model.script(({ prompt }) => (prompt === 'Say it.' ? [{ text: 'The Secret is 42.' }] : undefined))
    const { code, output } = await evaluate(
      [
        '- {prompt: Say it., contains: ["42"]}',
        '- {prompt: Say it., contains: ["43"], forbidden: [secret]}',
        '- {prompt: Say it., source: privacy.md, tool: calculator}',
        '- {prompt: Say it., agent: nobody}',
      ].join('\n'),
      { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' },
    )
    expect(output).toMatch(/Say it\. +right/)
    for (const why of [
      'lacks "43"; says "secret"',
      'source privacy.md is missing; tool calculator was not used',
      'there is no agent nobody',
    ])
      expect(output).toContain(why)
    expect(output).toContain('1 of 4 right')
    expect(code).toBe(1)
  })

  test('names a case that is none', () => {
    expect(() => readCases('- prompt: a\n- {prompt: b, sauce: c}')).toThrow('case 2')
  })
})
