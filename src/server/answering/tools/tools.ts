import type { ToolSet } from 'ai'
import { calculator } from '../../models/builtin/computing/calculator.ts'
import { convertUnits } from '../../models/builtin/computing/convert-units.ts'
import { dateTimeTool } from '../../models/builtin/computing/date-time.ts'
import { type GuardOptions, guardTool } from './guard-tool.ts'
import { type SearchKnowledge, searchKnowledgeTool } from './search-knowledge.ts'
import { fetchPageTool } from './web/fetch-page.ts'
import { webSearchTool } from './web/web-search.ts'

export interface ToolOptions extends GuardOptions {
  search: SearchKnowledge
  now: () => Date
}

/** The agent's own tools by name for models. */
export function createTools({ search, now, ...guard }: ToolOptions) {
  return {
    calculator: guardTool('calculator', calculator, guard),
    date_time: guardTool('date_time', dateTimeTool(now), guard),
    convert_units: guardTool('convert_units', convertUnits, guard),
    search_knowledge: guardTool('search_knowledge', searchKnowledgeTool(search), guard),
  }
}

/** Tools that access other hosts, which an agent's file must name. Without `searchEndpoint` there is no search. */
export function createWebTools(searchEndpoint: string | null): ToolSet {
  return { fetch_page: fetchPageTool(), ...(searchEndpoint !== null && { web_search: webSearchTool(searchEndpoint) }) }
}

/** Tool names for agent files, besides web tools. */
export const TOOL_NAMES = ['calculator', 'date_time', 'convert_units', 'search_knowledge'] as const satisfies (keyof AgentTools)[]

export type AgentTools = ReturnType<typeof createTools>
