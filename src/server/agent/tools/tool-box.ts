import { asSchema, type Tool, type ToolSet } from 'ai'
import { estimateTokens } from '../token-meter.ts'
import { type GuardOptions, guardTool } from './guard-tool.ts'
import type { AgentTools } from './tools.ts'

export interface ToolBoxOptions extends GuardOptions {
  own: AgentTools
  /** Tools of others, as they are when it is asked; none stands in for one of our own. */
  foreign: () => ToolSet
}

/** What a turn works with from its beginning to its end: nothing that happens in it adds a tool. */
export interface TurnTools {
  tools: AgentTools
  /** What a model is told of them in every call, estimated. */
  tokens: number
}

/** The tools of one agent, of which some come and go with the servers that have them. */
export class ToolBox {
  readonly #options: ToolBoxOptions
  readonly #guarded = new WeakMap<Tool, Tool>()
  readonly #tokens = new WeakMap<Tool, number>()

  constructor(options: ToolBoxOptions) {
    this.#options = options
  }

  async forTurn(): Promise<TurnTools> {
    const { own, foreign } = this.#options
    const guarded = Object.entries(foreign()).map(([name, tool]) => [name, this.#guard(name, tool as Tool)] as const)
    const tools = { ...Object.fromEntries(guarded), ...own }
    let tokens = 0
    for (const [name, tool] of Object.entries(tools)) tokens += this.#tokens.get(tool) ?? (await this.#count(name, tool))
    return { tools, tokens }
  }

  #guard(name: string, tool: Tool): Tool {
    const guarded = this.#guarded.get(tool) ?? guardTool(name, tool, this.#options)
    this.#guarded.set(tool, guarded)
    return guarded
  }

  /** Name, description and the form of the input, as JSON. */
  async #count(name: string, tool: Tool): Promise<number> {
    const input = await asSchema(tool.inputSchema).jsonSchema
    const tokens = estimateTokens(JSON.stringify({ name, description: tool.description, input }))
    this.#tokens.set(tool, tokens)
    return tokens
  }
}
