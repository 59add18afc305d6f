import type { ModelLimits } from '../model/limits.ts'
import { calculator } from './calculator.ts'
import { convertUnits } from './convert-units.ts'
import { dateTimeTool } from './date-time.ts'
import { guardTool } from './guard-tool.ts'
import { type SearchKnowledge, searchKnowledgeTool } from './search-knowledge.ts'

export interface ToolOptions {
  search: SearchKnowledge
  now: () => Date
  limits: Pick<ModelLimits, 'toolTimeoutMs' | 'maxToolInputBytes' | 'maxToolResultBytes'>
  onWarning: (message: string, cause?: unknown) => void
}

/** The tools of the agent, by the names that models call them. */
export function createTools({ search, now, ...guard }: ToolOptions) {
  return {
    calculator: guardTool('calculator', calculator, guard),
    date_time: guardTool('date_time', dateTimeTool(now), guard),
    convert_units: guardTool('convert_units', convertUnits, guard),
    search_knowledge: guardTool('search_knowledge', searchKnowledgeTool(search), guard),
  }
}

/** The names that an agent's file may use. */
export const TOOL_NAMES = ['calculator', 'date_time', 'convert_units', 'search_knowledge'] as const satisfies (keyof AgentTools)[]

export type AgentTools = ReturnType<typeof createTools>
