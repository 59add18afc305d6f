import { type Document, isSeq, parseDocument } from 'yaml'

/** Keys of the front matter that are one line of text. */
type LineKey = 'name' | 'greeting' | 'model'
/** Keys that are lists of texts. */
export type ListKey = 'starters' | 'knowledge' | 'tools'

/** The common fields of an agent's text. A list is `null` if its key is missing. */
export type AgentFields = Record<LineKey, string> & Record<ListKey, string[] | null> & { instruction: string }

/** The fields of a text; `null` if its front matter can't be read. */
export function fieldsOf(text: string): AgentFields | null {
  const split = splitText(text)
  if (!split) return null
  const values = split.document.toJS() as Record<string, unknown>
  const line = (key: LineKey) => (typeof values[key] === 'string' ? values[key] : '')
  const list = (key: ListKey) => {
    const value = values[key]
    return Array.isArray(value) ? value.map(String) : null
  }
  return {
    name: line('name'),
    greeting: line('greeting'),
    model: line('model'),
    starters: list('starters'),
    knowledge: list('knowledge'),
    tools: list('tools'),
    instruction: split.instruction,
  }
}

/** The text with another value of a field. Everything else stays as it is, comments included. */
export function withField(text: string, key: LineKey | ListKey | 'instruction', value: string | readonly string[]): string {
  const split = splitText(text)
  if (!split) return text
  const { document } = split
  if (key === 'instruction') return joined(document, String(value))
  // An agent without a name is a mistake, which is shown at the empty field.
  if (value.length === 0 && key !== 'name') document.delete(key)
  else if (typeof value === 'string') document.set(key, value)
  else setList(document, key, value)
  return joined(document, split.instruction)
}

function setList(document: Document, key: string, value: readonly string[]): void {
  const before = document.get(key)
  const list = document.createNode(value)
  if (isSeq(list)) list.flow = isSeq(before) ? (before.flow ?? false) : key !== 'starters'
  document.set(key, list)
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

function splitText(text: string): { document: Document; instruction: string } | null {
  const front = FRONT_MATTER.exec(text)
  if (front?.[1] === undefined) return null
  const document = parseDocument(front[1])
  const isMap =
    document.errors.length === 0 && typeof document.toJS() === 'object' && !isSeq(document.contents) && document.contents !== null
  return isMap ? { document, instruction: text.slice(front[0].length) } : null
}

function joined(document: Document, instruction: string): string {
  return `---\n${document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd()}\n---\n${instruction}`
}
