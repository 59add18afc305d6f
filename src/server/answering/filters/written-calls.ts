import type { JSONSchema7Definition } from '@ai-sdk/provider'
import { asSchema, type LanguageModelStreamPart, type ToolSet } from 'ai'
import { newToolCallId } from '../../models/tool-call-ids.ts'
import { offeredName } from '../../models/tool-names.ts'
import { looseValue, looseObject } from '../tools/loose-json.ts'
import { TemplateText } from './template-text.ts'
import type { StepReset } from './think-tags.ts'

type Part = LanguageModelStreamPart

/** Enough of a call to tell that it was copied. */
const COMPARED_CHARACTERS = 80
const QUOTED = 'A call that stands in the conversation does not run.'

/**
 * Turns tool calls that a model writes into its text into real ones, and takes what belongs to its template out of the text: special
 * tokens, and the channels of the harmony format, whose thoughts become reasoning. Of a call to a tool that isn't offered, nothing is
 * left; the model is told if it wrote nothing else. A call that stands in the conversation is a quotation, which never runs: a document or a
 * prompt must not call tools by being repeated.
 */
export async function* writtenCalls(
  parts: AsyncIterable<Part | StepReset>,
  { tools, conversation = () => '' }: { tools: ToolSet; conversation?: () => string },
): AsyncGenerator<Part | StepReset, void, undefined> {
  const offered = Object.keys(tools)
  let template: TemplateText | null = null
  const calls: TextCall[] = []
  let isQuoted = false
  let hasText = false
  let isCalled = false
  for await (const part of parts) {
    if (part.type === 'text-start') template = new TemplateText(part.id, offered)
    else if (template && part.type === 'text-delta') yield* output(template.read(part.text))
    else if (template && part.type === 'text-end') yield* output(ended(template))
    else if (part.type === 'model-call-end') {
      // A server that reads the calls of its model may leave their text, too.
      if (!isCalled) yield* callParts(isQuoted ? [] : calls, tools, hasText)
      if (!isCalled && isQuoted && !hasText) yield* calls.slice(0, 1).flatMap(({ name, input }) => [...refused(name, input, QUOTED)])
      yield part
    } else {
      isCalled ||= part.type === 'tool-call'
      yield part
    }
  }

  function* output(written: Part[]): Generator<Part> {
    hasText ||= written.some((part) => part.type === 'text-delta' && part.text.trim() !== '')
    yield* written
  }

  function ended(text: TemplateText): Part[] {
    template = null
    const { parts: last, held } = text.end()
    if (held === null) return last
    const found = callsInText(held.text, offered)
    isQuoted ||= conversation().includes(JSON.stringify(held.text.trim().slice(0, COMPARED_CHARACTERS)).slice(1, -1))
    const isRun = !isQuoted && found.some(({ name }) => offeredName(name, offered))
    if (isRun || held.isMarked) calls.push(...found)
    return [...last, ...text.release(isRun ? '' : held.isMarked ? held.rest : held.text)]
  }
}

async function* callParts(calls: readonly TextCall[], tools: ToolSet, hasText: boolean): AsyncGenerator<Part> {
  for (const { name, input } of calls) {
    const toolName = offeredName(name, Object.keys(tools))
    if (toolName !== null) yield* runnable(toolName, input, tools)
    else if (!hasText) yield* refused(name, input, `There is no tool named ${JSON.stringify(name)}.`)
  }
}

async function* runnable(toolName: string, input: Record<string, unknown>, tools: ToolSet): AsyncGenerator<Part> {
  const tool = tools[toolName]
  const { validate, jsonSchema } = asSchema(tool?.inputSchema)
  const { properties = {} } = await jsonSchema
  // The forms with tags have no types.
  const typed = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' && isOfOtherType(properties[key]) ? looseValue(value) : value,
    ]),
  )
  const result = await validate?.(typed)
  if (result && !result.success) return yield* refused(toolName, input, 'The arguments do not fit the tool.')
  const dynamic = tool?.type === 'dynamic' ? { dynamic: true as const } : {}
  const toolCallId = newToolCallId()
  yield* inputParts(toolCallId, toolName, typed, dynamic)
  yield { type: 'tool-call', toolCallId, toolName, input: result?.value ?? typed, ...dynamic }
}

function isOfOtherType(schema: JSONSchema7Definition | undefined): boolean {
  return typeof schema === 'object' && schema.type !== undefined && ![schema.type].flat().includes('string')
}

function* inputParts(id: string, toolName: string, input: object, dynamic: { dynamic?: true }): Generator<Part> {
  yield { type: 'tool-input-start', id, toolName, ...dynamic }
  yield { type: 'tool-input-delta', id, delta: JSON.stringify(input) }
  yield { type: 'tool-input-end', id }
}

/** A call that fails at once, as the SDK emits it. */
function* refused(toolName: string, input: Record<string, unknown>, error: string): Generator<Part> {
  const toolCallId = newToolCallId()
  const call = { toolCallId, toolName, input, dynamic: true as const }
  yield* inputParts(toolCallId, toolName, input, { dynamic: true })
  yield { type: 'tool-call', ...call, invalid: true, error: new Error(error) }
  yield { type: 'tool-error', ...call, error }
}

/** A call of a tool as a model wrote it into a text; `name` is not necessarily that of an offered tool. */
interface TextCall {
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
function callsInText(text: string, offered: readonly string[]): TextCall[] {
  const written = plain(text.slice(0, MAX_CHARACTERS))
  const pairs = callsIn(written, PAIRS_CALL, (name, body) => ({ name, input: entriesOf(body, PAIR) }))
  const calls = pairs.length > 0 ? pairs : callsIn(written, XML_CALL, xmlCall)
  if (calls.length > 0) return calls
  const objects = callsInJson(written, offered)
  if (objects.length > 0) return objects
  return callsIn(written, PYTHON_CALL, (name, body) => ({ name, input: keywordsIn(body) })).filter(({ name }) => offeredName(name, offered))
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

function callsIn(text: string, form: RegExp, read: (name: string, body: string) => TextCall): TextCall[] {
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
