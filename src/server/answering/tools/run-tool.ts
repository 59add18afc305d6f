import type { ToolContext } from './tool-context.ts'
import { settledOrAborted } from '../../../async/abort.ts'
import { ATTRIBUTES, OPERATIONS } from '../../telemetry/tracing/names.ts'
import { errorTypeOf, inSpan } from '../../telemetry/tracing/spans.ts'
import { ToolFailure } from './guard-tool.ts'
import { TOOL_NAMES } from './tools.ts'
import { OutputWithImages, type ToolImage } from './tool-images.ts'
import type { ModelMessage, ToolSet, TypedToolCall, TypedToolError, TypedToolResult } from 'ai'

/** `images` are only for the model. */
export type ToolOutcome = (TypedToolResult<ToolSet> | TypedToolError<ToolSet>) & { images?: readonly ToolImage[] }

/** The server's own tools only read. */
const WITHOUT_EFFECTS: ReadonlySet<string> = new Set(TOOL_NAMES)

/** Runs the tool of a call. Never rejects: an exception is an outcome. */
export function runTool(
  tools: ToolSet,
  context: ToolContext,
  call: TypedToolCall<ToolSet>,
  messages: ModelMessage[],
  abortSignal: AbortSignal,
): Promise<ToolOutcome> {
  const { toolName } = call
  // A model can make up a name, which would be content.
  const name = tools[toolName] ? toolName : 'unknown'
  const attributes = { [ATTRIBUTES.operation]: OPERATIONS.executeTool, [ATTRIBUTES.tool]: name, [ATTRIBUTES.toolType]: 'function' }
  return inSpan(`${OPERATIONS.executeTool} ${name}`, { attributes }, async (span) => {
    const outcome = await execute(tools, context, call, messages, abortSignal)
    if (outcome.type === 'tool-error') span.fail(errorTypeOf(outcome.error))
    return outcome
  })
}

async function execute(
  tools: ToolSet,
  context: ToolContext,
  { toolCallId, toolName, input }: TypedToolCall<ToolSet>,
  messages: ModelMessage[],
  abortSignal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = tools[toolName]
  const outcome = { toolCallId, toolName, input, dynamic: tool?.type === 'dynamic' ? (true as const) : undefined }
  try {
    if (!tool?.execute) throw new ToolFailure(noSuchTool(toolName, tools))
    if (context.admission && !WITHOUT_EFFECTS.has(toolName)) await settledOrAborted(context.admission, abortSignal)
    abortSignal.throwIfAborted()
    const output: unknown = await tool.execute(input, { toolCallId, messages, abortSignal, context })
    if (!(output instanceof OutputWithImages)) return { type: 'tool-result', ...outcome, output }
    return { type: 'tool-result', ...outcome, output: output.output, images: output.images }
  } catch (error) {
    return { type: 'tool-error', ...outcome, error }
  }
}

function noSuchTool(name: string, tools: ToolSet): string {
  const names = Object.keys(tools)
  return `There is no tool named ${JSON.stringify(name)}. ${names.length > 0 ? `Available: ${names.join(', ')}.` : 'There are no tools.'}`
}
