import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { evaluateExpression, ExpressionError, MAX_EXPRESSION_CHARACTERS } from './expression.ts'

export type CalculatorResult = { expression: string; result: number; text: string } | { error: string }

/** Evaluates arithmetic on an allow-listed expression tree. Problems are returned as a sentence in `error`. */
export const calculator = tool({
  description:
    'Calculates an arithmetic expression exactly. Operators + - * / % ^, brackets, percentages such as 15% of 80, ' +
    'constants pi and e, functions sqrt cbrt abs round floor ceil min max pow mod factorial exp ln log log2 sin cos tan (radians).',
  inputSchema: zodSchema(z.object({ expression: z.string().min(1).max(MAX_EXPRESSION_CHARACTERS).describe('For example: (3 + 4) * 12') })),
  execute: ({ expression }): CalculatorResult => calculate(expression),
})

/** Evaluates an expression. Its mistakes are returned as `error`, for the model. */
export function calculate(expression: string): CalculatorResult {
  try {
    const result = evaluateExpression(expression)
    return { expression, result, text: formatNumber(result) }
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.message }
    throw error
  }
}

const LARGEST_PLAIN = 1e15
const SMALLEST_PLAIN = 1e-6
const SIGNIFICANT_DIGITS = 12

/** Formats a number for people: with thousands separators and without binary rounding errors (0.1 + 0.2 is 0.3). */
function formatNumber(value: number): string {
  const size = Math.abs(value)
  if (value !== 0 && (size >= LARGEST_PLAIN || size < SMALLEST_PLAIN)) return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)))
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  return Number(value.toPrecision(SIGNIFICANT_DIGITS)).toLocaleString('en-US', { maximumSignificantDigits: SIGNIFICANT_DIGITS })
}
