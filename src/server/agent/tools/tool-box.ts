import { asSchema, type Tool, type ToolSet } from 'ai'
import { estimateTokens } from '../token-meter.ts'
import { asksFirst } from './asking-tool.ts'
import { type GuardOptions, guardTool } from './guard-tool.ts'
import type { AgentTools } from './tools.ts'

export interface ToolBoxOptions extends GuardOptions {
  own: AgentTools
  /** Tools of others, as they are when it is asked; none stands in for one of our own. */
  foreign: () => ToolSet
  /** Names of tools that ask the visitor before they run, beside those that are marked so. */
  asking: () => readonly string[]
}

/** What a turn works with from its beginning to its end: nothing that happens in it adds a tool. */
export interface TurnTools {
  tools: AgentTools
  /** Names of those that ask the visitor before they run. */
  asking: ReadonlySet<string>
  /** What a model is told of them in every call, estimated. */
  tokens: number
}

/** The tools of one agent, of which some come and go with the servers that have them. */
export class ToolBox {
  readonly #options: ToolBoxOptions
  readonly #guarded = new WeakMap<Tool, Tool>()
  readonly #tokens = new WeakMap<Tool, number>()
  /** The same for every turn, as long as there are no others and none asks. */
  #ownAlone: TurnTools | undefined

  constructor(options: ToolBoxOptions) {
    this.#options = options
  }

  /** Where nobody can be asked, tools that ask are left out. */
  async forTurn(canAsk: boolean): Promise<TurnTools> {
    const { own, foreign } = this.#options
    const raw = Object.entries(foreign())
    if (raw.length === 0 && this.#options.asking().length === 0)
      return (this.#ownAlone ??= { tools: own, asking: new Set(), tokens: await this.#countAll(own) })
    const guarded = raw.map(([name, tool]) => [name, this.#guard(name, tool as Tool)] as const)
    const marked = raw.filter(([name, tool]) => asksFirst(tool as Tool) && !Object.hasOwn(own, name)).map(([name]) => name)
    const asking = new Set([...this.#options.asking(), ...marked])
    const all = { ...Object.fromEntries(guarded), ...own }
    const tools = canAsk ? all : (Object.fromEntries(Object.entries(all).filter(([name]) => !asking.has(name))) as AgentTools)
    return { tools, asking, tokens: await this.#countAll(tools) }
  }

  async #countAll(tools: AgentTools): Promise<number> {
    let tokens = 0
    for (const [name, tool] of Object.entries(tools)) tokens += this.#tokens.get(tool) ?? (await this.#count(name, tool))
    return tokens
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
