import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { evaluateExpression, ExpressionError, MAX_EXPRESSION_CHARACTERS } from './expression.ts'
import { formatNumber } from './format-number.ts'

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
