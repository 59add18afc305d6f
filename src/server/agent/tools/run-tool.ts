import { ToolFailure } from './guard-tool.ts'
import { OutputWithPictures, type ToolPicture } from './tool-pictures.ts'
import type { ModelMessage, ToolSet, TypedToolCall, TypedToolError, TypedToolResult } from 'ai'

/** `pictures` go to the model alone. */
export type ToolOutcome = (TypedToolResult<ToolSet> | TypedToolError<ToolSet>) & { pictures?: readonly ToolPicture[] }

/** What a tool knows of the turn that it runs in. */
export interface ToolContext {
  chat: string
  /** Who reads the result: a language model, or the built-in assistant. */
  caller: 'model' | 'builtin'
  /** About how many characters the turn can still take; more is trimmed. */
  maxCharacters: number
}

/** Runs the tool that a model called. What it throws is an outcome too: this never rejects. */
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

/** What a model hears that calls a tool which it was not given. */
export function noSuchTool(name: string, tools: ToolSet): string {
  const names = Object.keys(tools)
  return `There is no tool named ${JSON.stringify(name)}. ${names.length > 0 ? `Available: ${names.join(', ')}.` : 'There are no tools.'}`
}
