import { ToolFailure } from './guard-tool.ts'
import type { ModelMessage, ToolSet, TypedToolCall, TypedToolError, TypedToolResult } from 'ai'

export type ToolOutcome = TypedToolResult<ToolSet> | TypedToolError<ToolSet>

/** What a tool is told of the turn that it runs in. */
export interface ToolContext {
  chat: string
}

/** Runs the tool that a model called. What it throws is an outcome too: this never rejects. */
export async function runTool(
  { tools, chat }: { tools: ToolSet } & ToolContext,
  call: TypedToolCall<ToolSet>,
  messages: ModelMessage[],
  abortSignal: AbortSignal,
): Promise<ToolOutcome> {
  const { toolCallId, toolName, input } = call
  const tool = tools[toolName]
  const outcome = { toolCallId, toolName, input, dynamic: tool?.type === 'dynamic' ? (true as const) : undefined }
  try {
    if (!tool?.execute) throw new ToolFailure('This tool is not there any more.')
    const output: unknown = await tool.execute(input, { toolCallId, messages, abortSignal, context: { chat } satisfies ToolContext })
    return { type: 'tool-result', ...outcome, output }
  } catch (error) {
    return { type: 'tool-error', ...outcome, error }
  }
}
