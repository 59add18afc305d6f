import type { ToolSet } from 'ai'

const MAX_NAME_CHARACTERS = 64

/** Name of an external tool for models, in characters that every provider supports. */
export function foreignToolName(owner: string, tool: string): string {
  return `${owner}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS)
}

/** The chosen tools: `owner` for all of an owner, or `owner/tool`. */
export function chosenTools(chosen: readonly string[], toolsOf: (owner: string) => ToolSet | undefined): ToolSet {
  const tools: ToolSet = {}
  for (const choice of chosen) {
    const [owner = '', ...tool] = choice.split('/')
    const all = toolsOf(owner) ?? {}
    const name = foreignToolName(owner, tool.join('/'))
    if (tool.length === 0) Object.assign(tools, all)
    else if (all[name]) tools[name] = all[name]
  }
  return tools
}
