import type { ToolCallRepairFunction, ToolSet } from 'ai'
import { offeredName } from '../../models/tool-names.ts'
import { looseObject } from './loose-json.ts'

/** Reads a call that the SDK rejects: its name has a prefix, or its arguments aren't quite JSON. Returns `null` if that doesn't help. */
export const repairToolCall: ToolCallRepairFunction<ToolSet> = async ({ toolCall, tools }) => {
  const toolName = offeredName(toolCall.toolName, Object.keys(tools))
  const input = looseObject(toolCall.input)
  return toolName !== null && input !== null ? { ...toolCall, toolName, input: JSON.stringify(input) } : null
}
