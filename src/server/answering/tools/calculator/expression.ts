import jsep from 'jsep'

/** Longest expression that is parsed, in UTF-16 code units. */
export const MAX_EXPRESSION_CHARACTERS = 1_000

/** A problem in the input, as a sentence for visitors. */
export class ExpressionError extends Error {}

type Binary = (left: number, right: number) => number

const OPERATORS = new Map<string, Binary>([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', divide],
  ['%', remainder],
  ['**', (left, right) => left ** right],
])

const CONSTANTS = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
])

interface AllowedFunction {
  from: number
  to: number
  run: (...numbers: number[]) => number
}

const FUNCTIONS = new Map<string, AllowedFunction>([
  ...['sqrt', 'cbrt', 'abs', 'floor', 'ceil', 'trunc', 'sign', 'exp', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan'].map(
    (name): [string, AllowedFunction] => [name, { from: 1, to: 1, run: Math[name as 'sqrt'] }],
  ),
  ['ln', { from: 1, to: 1, run: Math.log }],
  ['log', { from: 1, to: 1, run: Math.log10 }],
  ['log10', { from: 1, to: 1, run: Math.log10 }],
  ['log2', { from: 1, to: 1, run: Math.log2 }],
  ['round', { from: 1, to: 2, run: (value, digits = 0) => Number(value.toFixed(Math.min(Math.max(Math.trunc(digits), 0), 15))) }],
  ['min', { from: 1, to: 20, run: Math.min }],
  ['max', { from: 1, to: 20, run: Math.max }],
  ['pow', { from: 2, to: 2, run: (base, exponent) => base ** exponent }],
  ['mod', { from: 2, to: 2, run: remainder }],
  ['factorial', { from: 1, to: 1, run: factorial }],
])

// Bitwise, logical and comparison operators are not arithmetic; without them the parser rejects mistyped text.
jsep.removeAllUnaryOps()
jsep.addUnaryOp('-')
jsep.addUnaryOp('+')
jsep.removeAllBinaryOps()
jsep.addBinaryOp('+', 9)
jsep.addBinaryOp('-', 9)
jsep.addBinaryOp('*', 10)
jsep.addBinaryOp('/', 10)
jsep.addBinaryOp('%', 10)
jsep.addBinaryOp('**', 12, true)

/**
 * Evaluates an arithmetic expression with only numbers and the operators, functions and constants above; no names of the program are
 * reachable. Throws `ExpressionError` for anything else and for a result that is not finite.
 */
export function evaluateExpression(text: string): number {
  if (text.length > MAX_EXPRESSION_CHARACTERS)
    throw new ExpressionError(`The expression is longer than ${MAX_EXPRESSION_CHARACTERS} characters.`)
  const value = evaluate(parse(withPlainSigns(text)))
  if (!Number.isFinite(value)) throw new ExpressionError('The result is not a finite number.')
  return value
}

/** Replaces common notation by what the parser supports: 1,234 × 5 ÷ 2, 15%, 2^3, √2, 3². */
function withPlainSigns(text: string): string {
  return (
    text
      .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
      .replace(/[×·⋅∙✕]|(?<=[\d)]\s*)x(?=\s*[\d(])/gi, '*')
      .replace(/[÷∶]/g, '/')
      .replace(/[−–—]/g, '-')
      .replace(/(?<=\d)\s*π/g, '*pi')
      .replace(/π/g, 'pi')
      .replace(/(?<![\w.])(\d+(?:\.\d+)?)\s*\(/g, '$1*(')
      .replace(/√\s*(\d+(?:\.\d+)?)/g, 'sqrt($1)')
      .replace(/√/g, 'sqrt')
      .replace(/²/g, '**2')
      .replace(/³/g, '**3')
      .replace(/\^/g, '**')
      .replace(/(\d+(?:\.\d+)?)\s*%\s*of\s+/gi, '($1/100)*')
      .replace(/\(([^()]+?)\s*([+-])\s*(\d+(?:\.\d+)?)\s*%\s*\)/g, '(($1)*(1$2$3/100))')
      .replace(/^(.*[\d)])\s*([+-])\s*(\d+(?:\.\d+)?)\s*%\s*$/, '($1)*(1$2$3/100)')
      .replace(/(\d+(?:\.\d+)?)\s*%(?!\s*[\d(a-z])/gi, '($1/100)')
      .replace(/=\s*\??\s*$/, '')
      // In mathematics a sign binds weaker than a power: -2^2 is -4.
      .replace(/(^|[(,+-])\s*-\s*(?=[\d.(a-z])/gi, '$1-1*')
  )
}

/** Brackets and signs that are nested too deeply overflow the stack, which is caught too. */
function parse(text: string): jsep.Expression {
  try {
    return jsep(text)
  } catch {
    throw new ExpressionError('This is not an arithmetic expression.')
  }
}

function evaluate(node: jsep.Expression): number {
  const expression = node as jsep.CoreExpression
  switch (expression.type) {
    case 'Literal':
      return numberOf(expression.value)
    case 'Identifier':
      return constantOf(expression.name)
    case 'UnaryExpression':
      return expression.operator === '-' ? -evaluate(expression.argument) : evaluate(expression.argument)
    case 'BinaryExpression':
      return operate(expression)
    case 'CallExpression':
      return call(expression)
    default:
      throw new ExpressionError('Only numbers, operators and mathematical functions can be calculated.')
  }
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new ExpressionError('Only numbers can be calculated.')
  return value
}

function constantOf(name: string): number {
  const value = CONSTANTS.get(name.toLowerCase())
  if (value === undefined) throw new ExpressionError('The expression has a name that is not a known constant.')
  return value
}

function operate(expression: jsep.BinaryExpression): number {
  const run = OPERATORS.get(expression.operator)
  if (!run) throw new ExpressionError('The expression has an operator that is not known.')
  return run(evaluate(expression.left), evaluate(expression.right))
}

function call(expression: jsep.CallExpression): number {
  const { callee } = expression
  const name = callee.type === 'Identifier' ? callee['name'] : undefined
  const allowed = typeof name === 'string' ? FUNCTIONS.get(name.toLowerCase()) : undefined
  if (!allowed) throw new ExpressionError('The expression has a function that is not known.')
  const { length } = expression.arguments
  if (length < allowed.from || length > allowed.to) throw new ExpressionError('A function has the wrong number of arguments.')
  return allowed.run(...expression.arguments.map((argument) => evaluate(argument)))
}

function divide(left: number, right: number): number {
  if (right === 0) throw new ExpressionError('A number cannot be divided by zero.')
  return left / right
}

function remainder(left: number, right: number): number {
  if (right === 0) throw new ExpressionError('A number cannot be divided by zero.')
  return left % right
}

const LARGEST_FACTORIAL = 170

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > LARGEST_FACTORIAL) {
    throw new ExpressionError(`A factorial is known for whole numbers from 0 to ${LARGEST_FACTORIAL}.`)
  }
  let product = 1
  for (let factor = 2; factor <= value; factor += 1) product *= factor
  return product
}
