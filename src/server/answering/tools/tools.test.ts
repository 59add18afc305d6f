import { describe, expect, test } from 'vitest'
import { tool } from 'ai'
import { z } from 'zod'
import { calculate } from './calculator/calculator.ts'
import { guardTool, ToolFailure } from './guard-tool.ts'

describe('calculator', () => {
  test.each([
    ['(3 + 4) * 12', '84'],
    ['0.1 + 0.2', '0.3'],
    ['2^10', '1,024'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['15% of 80', '12'],
    ['200 + 10%', '220'],
    ['1,234,567 × 2', '2,469,134'],
    ['10 ÷ 4', '2.5'],
    ['3 x 4', '12'],
    ['√16 + 3²', '13'],
    ['sqrt(2)', '1.41421356237'],
    ['max(1, 5, 3) - min(2, 1)', '4'],
    ['factorial(10)', '3,628,800'],
    ['2(3 + 4)', '14'],
    ['2^-2', '0.25'],
    ['5 - -2', '7'],
    ['3 * -2', '-6'],
    ['log10(1000)', '3'],
    ['10 % 3', '1'],
    ['2π', '6.28318530718'],
  ])('%s is %s', (expression, expected) => {
    const result = calculate(expression)
    expect('error' in result ? result.error : Number(result.text.replaceAll(',', ''))).toBeCloseTo(Number(expected.replaceAll(',', '')), 9)
  })

  test.each([
    'process.exit()',
    'constructor.constructor("return process")()',
    '[].constructor',
    'this',
    '"a" + "b"',
    'a = 1',
    '1; 2',
    '1 ? 2 : 3',
    '__proto__',
    'toString()',
    'sqrt',
    'sqrt()',
    'sqrt(1, 2)',
    'hasOwnProperty(1)',
    '1 / 0',
    '5 % 0',
    '9^9^9',
    'factorial(171)',
    'factorial(1.5)',
    '',
    '(',
    '('.repeat(900),
    '-'.repeat(900),
    `${'1+'.repeat(600)}1`,
    '💥',
    '1 2',
  ])('rejects %s with a sentence', (expression) => {
    expect(calculate(expression)).toEqual({ error: expect.stringMatching(/^[A-Z][^\n]*\.$/) })
  })

  test('calculates the longest allowed expressions', () => {
    expect(calculate(`${'1+'.repeat(499)}1`)).toMatchObject({ result: 500 })
    expect(calculate(`${'('.repeat(499)}1${')'.repeat(499)}`)).toMatchObject({ result: 1 })
  })
})

describe('a guarded tool', () => {
  const limits = { toolTimeoutMs: 50, maxToolInputBytes: 1_000, maxToolResultBytes: 1_000 }

  function guarded(execute: () => unknown, input: Record<string, unknown> = {}) {
    const warnings: unknown[] = []
    const guard = guardTool('sample', tool({ inputSchema: z.record(z.string(), z.unknown()), execute: async () => execute() }), {
      limits,
      onWarning: (message, cause) => warnings.push(message, cause),
    })
    const run = (abortSignal?: AbortSignal) =>
      Promise.resolve(guard.execute?.(input, { toolCallId: 'call', messages: [], context: {}, ...(abortSignal && { abortSignal }) }))
    return { run, warnings }
  }

  test("returns the tool's output", async () => {
    expect(await guarded(() => ({ value: 1 })).run()).toEqual({ value: 1 })
  })

  test('that throws reports a failure without the cause, which is logged', async () => {
    const cause = new Error('secret path /etc')
    const { run, warnings } = guarded(() => {
      throw cause
    })
    await expect(run()).rejects.toEqual(new ToolFailure('The tool could not finish.'))
    expect(warnings).toContain(cause)
  })

  test('that hangs times out', async () => {
    await expect(guarded(() => new Promise(() => {})).run()).rejects.toThrow('took too long')
  })

  test('that returns too much fails', async () => {
    await expect(guarded(() => 'x'.repeat(2_000)).run()).rejects.toThrow('result of the tool is too long')
  })

  test('does not run with too much input', async () => {
    const { run } = guarded(() => expect.unreachable(), { text: 'x'.repeat(2_000) })
    await expect(run()).rejects.toEqual(new ToolFailure('The input of the tool is too long.'))
  })

  test('with a message of its own does not log it', async () => {
    const { run, warnings } = guarded(() => {
      throw new ToolFailure('No letter by Anna.')
    })
    await expect(run()).rejects.toThrow('No letter by Anna.')
    expect(warnings).toEqual(['The tool sample failed; returning an error to the model', undefined])
  })

  test('ends when the answer is stopped', async () => {
    const stopping = new AbortController()
    const running = guarded(() => new Promise(() => {})).run(stopping.signal)
    stopping.abort()
    await expect(running).rejects.toThrow('stopped')
  })
})
