import { parseSync } from 'vite'

/** A change of a source file that a test should notice. */
export interface Fault {
  start: number
  end: number
  /** What is done, as "negate the condition". */
  kind: string
  /** The text in place of `start` to `end`, as an expression; for a statement, nothing; for a body, what it begins with. */
  form: 'expression' | 'statement' | 'body'
  instead: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const COMPARISONS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
}
const ARITHMETIC: Record<string, string> = { '-': '+', '*': '/', '/': '*', '%': '*' }
const LOGIC: Record<string, string> = { '&&': '||', '||': '&&' }
/** Links of a chain that restrict or order what it works on. */
const CHAINED = new Set(['where', 'andWhere', 'having', 'orderBy', 'limit', 'filter', 'slice', 'toSorted', 'trim', 'catch'])
/** TypeScript nodes that hold a value; the others are types. */
const VALUES = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSInstantiationExpression'])
const LOGGED = /\blog(ger)?\??\.(trace|debug|info|warn|error|fatal)$/i
const TRANSLATED = /^(t(\.\w+)?|defineMessage)$/
const OPAQUE = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TaggedTemplateExpression', 'JSXAttribute'])

/** All faults that can be put into a file, in the order of its text. What is logged is left alone. */
export function findFaults(path: string, text: string): Fault[] {
  const faults: Fault[] = []
  const slice = (node: unknown) => text.slice((node as Node).start, (node as Node).end)
  const add: Add = ({ start, end }, kind, instead, form = 'expression') => faults.push({ start, end, kind, instead, form })
  walk(parseSync(path, text).program as unknown as Node, undefined, (node, parent) => {
    if (isLeftAlone(node, slice)) return false
    addFaults(node, parent, { add, slice })
    return true
  })
  return faults.toSorted((one, other) => one.start - other.start || other.end - one.end)
}

type Add = (place: { start: number; end: number }, kind: string, instead: string, form?: Fault['form']) => void
type Tools = { add: Add; slice: (node: unknown) => string }

function addFaults(node: Node, parent: Node | undefined, { add, slice }: Tools): void {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return add(node['test'] as Node, 'negate the condition', `!(${slice(node['test'])})`)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return addOperator(node, { add, slice })
    case 'UnaryExpression':
      if (node['operator'] === '!') add(node, 'leave out the negation', slice(node['argument']))
      return
    case 'Literal':
      if (parent?.type !== 'ExpressionStatement' && !isKey(node, parent)) addConstant(node, add)
      return
    case 'ReturnStatement':
      if (node['argument']) add(node['argument'] as Node, 'return nothing', 'undefined')
      return
    case 'ExpressionStatement':
      if (isEffect(node['expression'] as Node) && !isLeftAlone(node['expression'] as Node, slice))
        add(node, 'leave out the statement', '', 'statement')
      return
    case 'CallExpression': {
      const callee = node['callee'] as Node
      const name = (callee['property'] as Node | undefined)?.['name'] as string | undefined
      if (name !== undefined && CHAINED.has(name)) add(node, `leave out .${name}()`, slice(callee['object']))
      return
    }
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      if (parent?.['kind'] !== 'constructor') addEarlyReturn(node, add)
  }
}

function addOperator(node: Node, { add, slice }: Tools): void {
  const operator = node['operator'] as string
  const other = COMPARISONS[operator] ?? ARITHMETIC[operator] ?? LOGIC[operator]
  if (operator === '??') add(node, 'leave out the default', slice(node['left']))
  else if (other) add(node, `${operator} becomes ${other}`, `(${slice(node['left'])}) ${other} (${slice(node['right'])})`)
}

function addConstant(node: Node, add: Add): void {
  const value = node['value']
  if (typeof value === 'number') add(node, 'add one', String(value + 1))
  if (typeof value === 'boolean') add(node, 'flip the constant', String(!value))
  if (typeof value === 'string') add(node, 'replace the constant', value === '' ? "'other'" : "''")
}

function addEarlyReturn(node: Node, add: Add): void {
  const body = node['body'] as Node | null
  if (body?.type !== 'BlockStatement') {
    if (body) add(body, 'return nothing', 'undefined')
  } else if ((body['body'] as Node[]).length > 0) add({ start: body.start + 1, end: body.start + 1 }, 'return at once', '', 'body')
}

/** A call, an assignment or an increment; without the call of a parent's constructor, which nothing can leave out. */
function isEffect(node: Node): boolean {
  if (node.type === 'AwaitExpression' || node.type === 'ChainExpression') return isEffect((node['argument'] ?? node['expression']) as Node)
  if (node.type === 'CallExpression') return (node['callee'] as Node).type !== 'Super'
  return node.type === 'AssignmentExpression' || node.type === 'UpdateExpression'
}

/** The name of a property, or of the module that an export comes from. */
function isKey(node: Node, parent: Node | undefined): boolean {
  return parent?.['key'] === node || parent?.['source'] === node
}

/** Types, imports, sentences that are checked by the test of the languages, messages of errors and of the log, and what the bundler looks for. */
function isLeftAlone(node: Node, slice: (node: unknown) => string): boolean {
  if (OPAQUE.has(node.type) || (node.type.startsWith('TS') && !VALUES.has(node.type))) return true
  if (node.type === 'NewExpression') return /^(\w*Error|URL)$/.test(slice(node['callee']))
  return node.type === 'CallExpression' && (LOGGED.test(slice(node['callee'])) || TRANSLATED.test(slice(node['callee'])))
}

/** Calls `visit` for each node, and for what is in it if that returns true. */
function walk(node: Node, parent: Node | undefined, visit: (node: Node, parent: Node | undefined) => boolean): void {
  if (!visit(node, parent)) return
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node, visit)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
