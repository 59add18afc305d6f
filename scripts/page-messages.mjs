import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/**
 * @typedef {{ messages: Set<string>, plurals: Map<string, string> }} PageMessages A page's messages in English, and the singular form of each plural.
 * @typedef {{ path: string, text: string }} SourceText
 * @typedef {{ type: string, [key: string]: any }} Node
 */

/** Attributes with visible or spoken text. */
const SPOKEN =
  /^(aria-(label|description|roledescription|placeholder|valuetext)|title|placeholder|alt|label|hint|question|explanation|action|empty)$/
const CAPITALISED = /^\p{Lu}/u
/** Unlike a code, and an abbreviation that is the same in all languages. */
const WORD = /^\p{Lu}\p{Ll}/u
const SENTENCE = /^\p{Lu}\p{Ll}*(\s+\p{L}+)*\s+\p{L}{2,}/u

/** @param {string} folder @returns {SourceText[]} The page's files, without tests. */
export function readPage(folder) {
  const paths = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((path) => !/\.test\.tsx?$/.test(path))
  return paths.map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(`${folder}/${path}`, 'utf8') }))
}

/** @param {SourceText[]} files @returns {PageMessages} */
export function messagesOf(files) {
  const messages = new Set()
  const plurals = new Map()
  for (const { path, text } of files) {
    for (const { english, one } of translationsIn(treeOf(path, text))) {
      messages.add(english)
      if (one !== undefined) plurals.set(english, one)
    }
  }
  return { messages, plurals }
}

/** @param {SourceText} file @returns {string[]} Visible or spoken texts outside `t`. */
export function untranslatedTextsOf({ path, text }) {
  const untranslated = new Set()
  const note = (/** @type {Node | undefined} */ node) => {
    for (const words of textsIn(node)) if (/\p{L}{2}/u.test(words)) untranslated.add(words.trim())
  }
  walk(treeOf(path, text), (node) => {
    if (
      isTranslation(node) ||
      isForDevelopers(node) ||
      node.type.startsWith('TS') ||
      (/^(Import|Export.*)Declaration$/.test(node.type) && node.source)
    )
      return false
    if (node.type === 'JSXText') note(node)
    if (node.type === 'JSXAttribute' && SPOKEN.test(attributeName(node))) note(node.value)
    if (node.type === 'JSXOpeningElement' && CAPITALISED.test(node.name.name ?? '')) for (const name of namesIn(node)) note(name)
    if (node.type === 'Property' && SPOKEN.test(node.key.name ?? '') && textsIn(node.value).some((words) => WORD.test(words)))
      note(node.value)
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') for (const child of node.children) note(child)
    if (textsIn(node).some((words) => SENTENCE.test(words))) note(node)
    return true
  })
  return [...untranslated]
}

/** @param {string} path @param {string} text @returns {Node} */
function treeOf(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} can't be read: ${errors[0]?.message}`)
  return program
}

/** @param {Node} node @param {(node: Node) => boolean} visit Return false to skip the node's children. */
function walk(node, visit) {
  if (!visit(node)) return
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === 'object' && typeof child.type === 'string') walk(child, visit)
    }
  }
}

/** @param {Node} tree */
function translationsIn(tree) {
  /** @type {{ english: string, one?: string }[]} */
  const found = []
  walk(tree, (node) => {
    if (!isTranslation(node)) return true
    const isPlural = node.callee.property?.name === 'plural'
    const [one, english] = isPlural ? [node.arguments[1], node.arguments[2]] : [undefined, node.arguments[0]]
    if (typeof english?.value === 'string') found.push({ english: english.value, ...(one && { one: String(one.value) }) })
    return true
  })
  return found
}

/** @param {Node} node `t(…)`, `t.with(…)`, `t.plural(…)` or `defineMessage(…)`. */
function isTranslation({ type, callee }) {
  if (type !== 'CallExpression') return false
  return callee.name === 't' || callee.name === 'defineMessage' || (callee.object?.name === 't' && callee.type === 'MemberExpression')
}

/** @param {Node} node Whether it is developer output, such as console messages. */
function isForDevelopers({ type, callee, argument }) {
  if (type === 'NewExpression') return String(callee.name).endsWith('Error')
  if (type === 'ThrowStatement') return argument?.type === 'NewExpression'
  return type === 'CallExpression' && callee.object?.name === 'console'
}

/** @param {Node} node */
const attributeName = ({ name }) => (typeof name.name === 'string' ? name.name : '')

/** @param {Node} node @returns {Node[]} Values of `name` of a component that begin like a text, not like an identifier. */
function namesIn({ attributes }) {
  const named = attributes.filter((/** @type {Node} */ one) => one.type === 'JSXAttribute' && attributeName(one) === 'name')
  return named.flatMap((/** @type {Node} */ { value }) => (textsIn(value).some((text) => /^\p{Lu}/u.test(text)) ? [value] : []))
}

/** @param {Node | undefined | null} node @returns {string[]} The texts that the expression may evaluate to. */
function textsIn(node) {
  switch (node?.type) {
    case 'JSXText':
      return [node.value]
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral':
      return [node.quasis.map((/** @type {Node} */ { value }) => value.cooked).join(' ')]
    case 'JSXExpressionContainer':
      return textsIn(node.expression)
    case 'ConditionalExpression':
      return [...textsIn(node.consequent), ...textsIn(node.alternate)]
    case 'LogicalExpression':
      return [...textsIn(node.left), ...textsIn(node.right)]
    default:
      return []
  }
}
