import { ToolFailure } from './guard-tool.ts'
import { OutputWithPictures, type ToolPicture } from './tool-pictures.ts'
import type { ModelMessage, ToolSet, TypedToolCall, TypedToolError, TypedToolResult } from 'ai'

/** `pictures` are only for the model. */
export type ToolOutcome = (TypedToolResult<ToolSet> | TypedToolError<ToolSet>) & { pictures?: readonly ToolPicture[] }

/** The turn that a tool runs in. */
export interface ToolContext {
  chat: string
  /** Whether a language model or the built-in assistant reads the result. */
  caller: 'model' | 'builtin'
  /** About how many characters fit in the turn; longer results are trimmed. */
  maxCharacters: number
}

/** Runs the tool of a call. Never rejects: an exception is an outcome. */
export async function runTool(
  tools: ToolSet,
  context: ToolContext,
  call: TypedToolCall<ToolSet>,
  messages: ModelMessage[],
  abortSignal: AbortSignal,
): Promise<ToolOutcome> {
  const { toolCallId, toolName, input } = call
  const tool = tools[toolName]
  const outcome = { toolCallId, toolName, input, dynamic: tool?.type === 'dynamic' ? (true as const) : undefined }
  try {
    if (!tool?.execute) throw new ToolFailure(noSuchTool(toolName, tools))
    const output: unknown = await tool.execute(input, { toolCallId, messages, abortSignal, context })
    if (!(output instanceof OutputWithPictures)) return { type: 'tool-result', ...outcome, output }
    return { type: 'tool-result', ...outcome, output: output.output, pictures: output.pictures }
  } catch (error) {
    return { type: 'tool-error', ...outcome, error }
  }
}

/** Error for a call of an unknown tool. */
export function noSuchTool(name: string, tools: ToolSet): string {
  const names = Object.keys(tools)
  return `There is no tool named ${JSON.stringify(name)}. ${names.length > 0 ? `Available: ${names.join(', ')}.` : 'There are no tools.'}`
}
