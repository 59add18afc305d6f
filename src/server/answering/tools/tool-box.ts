import { asSchema, type Tool, type ToolSet } from 'ai'
import { estimateJson } from '../../models/tokens/estimate-messages.ts'
import { requiresApproval } from './foreign-tools.ts'
import { type GuardOptions, guardTool } from './guard-tool.ts'
import type { AgentTools } from './tools.ts'

export interface ToolBoxOptions extends GuardOptions {
  /** Agent id, for the log. */
  agent: string
  own: AgentTools
  /** Current external tools, the least important kind first. The agent's own tools win over the same name. */
  foreign: () => readonly ToolSet[]
  /** Names of tools that need approval, besides those marked so. */
  approvalRequired: () => readonly string[]
  /** Tokens for tool definitions in a turn with the default allowance. */
  maxTokens: number
}

/** The tools of one turn; they don't change during it. */
export interface TurnTools {
  tools: AgentTools
  approvalRequired: ReadonlySet<string>
  /** Estimated tokens of the definitions in every call. */
  tokens: number
}

/** Overhead of a definition in tokens. */
const TOKENS_AROUND = 8
/** Most sets of left-out tools that were logged. */
const MAX_REPORTED = 100

/** The tools of one agent. External ones change with their servers. */
export class ToolBox {
  readonly #options: ToolBoxOptions
  readonly #guarded = new WeakMap<Tool, Tool>()
  readonly #tokens = new WeakMap<Tool, number>()
  readonly #reported = new Set<string>()

  constructor(options: ToolBoxOptions) {
    this.#options = options
  }

  /** Tools that don't fit a turn with the default allowance, for the operator. */
  get problems(): string[] {
    const { leftOut } = this.#fitting(this.#foreignTools(), this.#options.maxTokens)
    return leftOut.length === 0 ? [] : [this.#sentence(leftOut)]
  }

  /**
   * The tools whose definitions fit `maxTokens`: always the agent's own, then external ones by importance. Tools that need approval
   * are left out if nobody can approve.
   */
  forTurn(canApprove: boolean, maxTokens = this.#options.maxTokens): TurnTools {
    const { own } = this.#options
    const approvalRequired = new Set(this.#options.approvalRequired())
    const foreign = this.#foreignTools()
    for (const [name, tool] of foreign) if (requiresApproval(tool)) approvalRequired.add(name)
    const isAvailable = (name: string) => canApprove || !approvalRequired.has(name)
    const { fitting, leftOut } = this.#fitting(
      foreign.filter(([name]) => isAvailable(name)),
      maxTokens,
    )
    this.#report(leftOut)
    const guarded = fitting.map(([name, tool]) => [name, this.#guard(name, tool)] as const)
    const availableOwn = Object.entries(own).filter(([name]) => isAvailable(name))
    const tools = Object.fromEntries([...guarded, ...availableOwn]) as AgentTools
    return { tools, approvalRequired, tokens: this.#sum(Object.entries(tools)) }
  }

  /** In the order in which they are dropped: the least important kind first, and within each kind the last named first. */
  #foreignTools(): [string, Tool][] {
    const { own, foreign } = this.#options
    const named = new Map<string, Tool>()
    for (const set of foreign())
      for (const [name, tool] of Object.entries(set).toReversed()) if (!Object.hasOwn(own, name)) named.set(name, tool as Tool)
    return [...named]
  }

  #fitting(foreign: readonly [string, Tool][], maxTokens: number): { fitting: [string, Tool][]; leftOut: string[] } {
    let tokens = this.#sum(Object.entries(this.#options.own)) + this.#sum(foreign)
    let dropped = 0
    for (const [name, tool] of foreign) {
      if (tokens <= maxTokens) break
      tokens -= this.#count(name, tool)
      dropped += 1
    }
    return { fitting: foreign.slice(dropped).toReversed(), leftOut: foreign.slice(0, dropped).map(([name]) => name) }
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
