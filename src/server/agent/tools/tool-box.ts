import { asSchema, type Tool, type ToolSet } from 'ai'
import { estimateJson } from '../tokens/estimate-messages.ts'
import { requiresApproval } from './approval-required-tool.ts'
import { type GuardOptions, guardTool } from './guard-tool.ts'
import type { AgentTools } from './tools.ts'

export interface ToolBoxOptions extends GuardOptions {
  /** The agent, for the log. */
  agent: string
  own: AgentTools
  /** Tools of others as they are now, the least important kind first. A name of our own tools stays ours. */
  foreign: () => readonly ToolSet[]
  /** Names of tools that ask the visitor before they run, beside those that are marked so. */
  approvalRequired: () => readonly string[]
  /** What definitions may take in a turn with the usual allowance, in tokens. */
  maxTokens: number
}

/** The tools of one turn, fixed from its beginning to its end. */
export interface TurnTools {
  tools: AgentTools
  /** Names of those that ask the visitor before they run. */
  approvalRequired: ReadonlySet<string>
  /** What their definitions take in every call, estimated. */
  tokens: number
}

/** Around a definition, in tokens. */
const TOKENS_AROUND = 8
/** Sets of left-out tools that the log remembers. */
const MAX_REPORTED = 100

/** The tools of one agent, some of which come and go with the servers that offer them. */
export class ToolBox {
  readonly #options: ToolBoxOptions
  readonly #guarded = new WeakMap<Tool, Tool>()
  readonly #tokens = new WeakMap<Tool, number>()
  readonly #reported = new Set<string>()

  constructor(options: ToolBoxOptions) {
    this.#options = options
  }

  /** What is left out of a usual turn because its definitions do not fit, in words for the operator. */
  get problems(): string[] {
    const { leftOut } = this.#fitting(this.#foreignTools(), this.#options.maxTokens)
    return leftOut.length === 0 ? [] : [this.#sentence(leftOut)]
  }

  /**
   * The tools whose definitions fit `maxTokens`: the agent's own always, and those of others from the most important kind.
   * Where the visitor cannot be asked, tools that ask are not there.
   */
  forTurn(canAsk: boolean, maxTokens = this.#options.maxTokens): TurnTools {
    const { own } = this.#options
    const approvalRequired = new Set(this.#options.approvalRequired())
    const foreign = this.#foreignTools()
    for (const [name, tool] of foreign) if (requiresApproval(tool)) approvalRequired.add(name)
    const isThere = (name: string) => canAsk || !approvalRequired.has(name)
    const { kept, leftOut } = this.#fitting(
      foreign.filter(([name]) => isThere(name)),
      maxTokens,
    )
    this.#report(leftOut)
    const guarded = kept.map(([name, tool]) => [name, this.#guard(name, tool)] as const)
    const ownThere = Object.entries(own).filter(([name]) => isThere(name))
    const tools = Object.fromEntries([...guarded, ...ownThere]) as AgentTools
    return { tools, approvalRequired, tokens: this.#sum(Object.entries(tools)) }
  }

  /** The least important first. */
  #foreignTools(): [string, Tool][] {
    const { own, foreign } = this.#options
    const named = new Map<string, Tool>()
    for (const set of foreign())
      for (const [name, tool] of Object.entries(set)) if (!Object.hasOwn(own, name)) named.set(name, tool as Tool)
    return [...named]
  }

  /** Of each kind the tools that were named last go first. */
  #fitting(foreign: readonly [string, Tool][], maxTokens: number): { kept: [string, Tool][]; leftOut: string[] } {
    let tokens = this.#sum(Object.entries(this.#options.own)) + this.#sum(foreign)
    const leftOut = new Set<string>()
    for (const [name, tool] of this.#byImportance(foreign)) {
      if (tokens <= maxTokens) break
      tokens -= this.#count(name, tool)
      leftOut.add(name)
    }
    return { kept: foreign.filter(([name]) => !leftOut.has(name)), leftOut: [...leftOut] }
  }

  #byImportance(foreign: readonly [string, Tool][]): [string, Tool][] {
    const there = new Map(foreign)
    const kinds = this.#options.foreign().map((set) => Object.keys(set).toReversed())
    return kinds.flat().flatMap((name) => {
      const tool = there.get(name)
      there.delete(name)
      return tool ? [[name, tool] as [string, Tool]] : []
    })
  }

  #report(leftOut: readonly string[]): void {
    const key = leftOut.join()
    if (key === '' || this.#reported.has(key)) return
    if (this.#reported.size >= MAX_REPORTED) this.#reported.clear()
    this.#reported.add(key)
    this.#options.onWarning(this.#sentence(leftOut))
  }

  #sentence(leftOut: readonly string[]): string {
    return (
      `The agent ${this.#options.agent} answers without the tools ${leftOut.join(', ')}: their definitions do not fit. ` +
      'Raise LIMIT_TURN_INPUT_TOKENS or MODEL_WINDOW, or name fewer tools in its file.'
    )
  }

  #sum(tools: readonly [string, Tool][]): number {
    return tools.reduce((sum, [name, tool]) => sum + this.#count(name, tool), 0)
  }

  #guard(name: string, tool: Tool): Tool {
    const guarded = this.#guarded.get(tool) ?? guardTool(name, tool, this.#options)
    this.#guarded.set(tool, guarded)
    return guarded
  }

  #count(name: string, tool: Tool): number {
    const known = this.#tokens.get(tool)
    if (known !== undefined) return known
    const parameters = asSchema(tool.inputSchema).jsonSchema
    const tokens = TOKENS_AROUND + estimateJson({ name, description: tool.description, parameters })
    this.#tokens.set(tool, tokens)
    return tokens
  }
}
