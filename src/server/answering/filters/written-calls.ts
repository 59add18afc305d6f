import type { JSONSchema7Definition } from '@ai-sdk/provider'
import { asSchema, type LanguageModelStreamPart, type ToolSet } from 'ai'
import { newToolCallId } from '../../models/tool-call-ids.ts'
import { offeredName } from '../../models/tool-names.ts'
import { looseValue } from '../tools/loose-json.ts'
import { callsInText, type TextCall } from './calls-in-text.ts'
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
