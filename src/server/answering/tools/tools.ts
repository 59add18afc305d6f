import type { ToolSet } from 'ai'
import { calculator } from './calculator/calculator.ts'
import { type GuardOptions, guardTool } from './guard-tool.ts'
import { type SearchKnowledge, searchKnowledgeTool } from './search-knowledge.ts'
import { fetchPageTool } from './web/fetch-page.ts'

/** The agent's own tools by name for models. */
export function createTools({ search, ...guard }: GuardOptions & { search: SearchKnowledge }) {
  return {
    calculator: guardTool('calculator', calculator, guard),
    search_knowledge: guardTool('search_knowledge', searchKnowledgeTool(search), guard),
  }
}

/** Tools that access other hosts, which an agent's file must name. */
export const WEB_TOOLS: ToolSet = { fetch_page: fetchPageTool() }

/** Tool names for agent files, besides web tools. */
export const TOOL_NAMES = ['calculator', 'search_knowledge'] as const satisfies (keyof AgentTools)[]

export type AgentTools = ReturnType<typeof createTools>
