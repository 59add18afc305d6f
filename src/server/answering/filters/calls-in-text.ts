import { offeredName } from '../../models/tool-names.ts'
import { looseObject, looseValue } from '../tools/loose-json.ts'

/** A call of a tool as a model wrote it into a text; `name` is not necessarily that of an offered tool. */
export interface TextCall {
  name: string
  input: Record<string, unknown>
}

/** Bounds what one text can cost. */
const MAX_CALLS = 8
const MAX_CHARACTERS = 20_000

const XML_CALL = /<(?:function=|invoke\s+name=)["']?([\w.:-]+)["']?\s*>?([^]*?)(?:<\/(?:function|invoke)>|$)/g
const XML_PARAMETER = /<parameter(?:=|\s+name=)["']?([\w.-]+)["']?[^>]*>\n?([^]*?)\n?<\/parameter>/g
/** GLM writes each argument as a pair. */
const PAIRS_CALL = /<tool_call>\s*([\w.:-]+)\s*((?:<arg_key>[^]*?<\/arg_value>\s*)+)/g
const PAIR = /<arg_key>([^]*?)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>/g
/** `name(key="value")` */
const PYTHON_CALL = /([A-Za-z_][\w.]*)\((\s*\w+\s*=(?:[^()"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*)\)/g
const KEYWORD = /(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,()]*)/g

const NAME_KEYS = ['name', 'tool', 'tool_name', 'recipient_name', 'action', 'function']
const INPUT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input', 'kwargs']
/** Keys beside which an object is still nothing but a call. */
const OTHER_KEYS = ['type', 'id', 'call_id', 'index']

/** The calls that a text consists of, in any form that models are known to write. */
export function callsInText(text: string, offered: readonly string[]): TextCall[] {
  const written = plain(text.slice(0, MAX_CHARACTERS))
  const pairs = found(written, PAIRS_CALL, (name, body) => ({ name, input: entriesOf(body, PAIR) }))
  const calls = pairs.length > 0 ? pairs : found(written, XML_CALL, xmlCall)
  if (calls.length > 0) return calls
  const objects = callsInJson(written, offered)
  if (objects.length > 0) return objects
  return found(written, PYTHON_CALL, (name, body) => ({ name, input: keywordsIn(body) })).filter(({ name }) => offeredName(name, offered))
}

/** The text without the marks that DeepSeek puts into its tags and Gemma around its strings. */
function plain(text: string): string {
  const tagged = text.replaceAll(/<(\/?)｜DSML｜/g, '<$1')
  return tagged.includes('<|"|>') ? tagged.replaceAll('<|"|>', '"').replaceAll(/([{,]\s*)(\w+):(?=\S)/g, '$1"$2": ') : tagged
}

/** The call that an object is; `null` if it is something else. */
function callOfObject(object: Record<string, unknown>): TextCall | null {
  const inner = object['function'] ?? object['function_call']
  if (typeof inner === 'object' && inner !== null) return callOfObject(inner as Record<string, unknown>)
  const nameKey = NAME_KEYS.find((key) => typeof object[key] === 'string')
  const inputKey = INPUT_KEYS.find((key) => object[key] !== undefined)
  const hasOthers = Object.keys(object).some((key) => key !== nameKey && !OTHER_KEYS.includes(key))
  if (nameKey === undefined || (inputKey === undefined && hasOthers)) return null
  const input = inputKey === undefined ? {} : object[inputKey]
  const read = typeof input === 'string' ? looseObject(input) : input
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null
  return { name: String(object[nameKey]), input: read as Record<string, unknown> }
}

/** Objects that are calls, and arguments that follow the name of a tool: `functions.search({…})`, `search[ARGS]{…}`. */
function callsInJson(text: string, offered: readonly string[]): TextCall[] {
  const calls: TextCall[] = []
  let from = 0
  for (let at = text.indexOf('{'); at >= 0 && calls.length < MAX_CALLS; at = text.indexOf('{', from)) {
    const written = objectAt(text, at)
    const object = looseObject(written)
    const before = text.slice(from, at)
    from = at + Math.max(1, written.length)
    if (!object) continue
    const list = object['tool_calls'] ?? object['tool_uses']
    const whole = Array.isArray(list) ? list.map((one) => callOfObject(one as Record<string, unknown>)) : [callOfObject(object)]
    const named = nameBefore(before, offered)
    if (whole.some((call) => call !== null)) calls.push(...whole.filter((call) => call !== null))
    else if (named !== null) calls.push({ name: named, input: object })
  }
  return calls
}

/** The last name before the arguments that is one of a tool, or is marked as one. */
function nameBefore(text: string, offered: readonly string[]): string | null {
  const words = text.match(/[A-Za-z_][\w.:-]*/g) ?? []
  return words.findLast((word) => offeredName(word, offered) !== null || word.startsWith('functions.')) ?? null
}

/** The text of the object that begins at `at`; to the end if it isn't closed. */
function objectAt(text: string, at: number): string {
  let depth = 0
  let isString = false
  for (let end = at; end < text.length; end += 1) {
    const character = text[end]
    if (isString && character === '\\') end += 1
    else if (character === '"') isString = !isString
    else if (!isString && character === '{') depth += 1
    else if (!isString && character === '}') depth -= 1
    if (depth === 0) return text.slice(at, end + 1)
  }
  return text.slice(at)
}

function found(text: string, form: RegExp, read: (name: string, body: string) => TextCall): TextCall[] {
  return Array.from(text.matchAll(form), ([, name = '', body = '']) => read(name, body)).slice(0, MAX_CALLS)
}

function xmlCall(name: string, body: string): TextCall {
  const parameters = entriesOf(body, XML_PARAMETER)
  return { name, input: Object.keys(parameters).length > 0 ? parameters : (looseObject(body) ?? {}) }
}

function entriesOf(text: string, form: RegExp): Record<string, string> {
  return Object.fromEntries(Array.from(text.matchAll(form), ([, key = '', value = '']) => [key.trim(), value]))
}

function keywordsIn(text: string): Record<string, unknown> {
  return Object.fromEntries(Array.from(text.matchAll(KEYWORD), ([, key = '', value = '']) => [key, looseValue(value)]))
}
