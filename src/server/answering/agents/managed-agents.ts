import type { Agent } from './agent.ts'
import type { AgentDefinition } from './definition/agent-definition.ts'
import type { Mistake, Reading } from './definition/read-definition.ts'

/** An agent with the definition that it was made from. */
export interface LoadedAgent {
  /** In its policy. */
  mistakes: readonly Mistake[]
  definition: AgentDefinition
  picture: string | null
  agent: Agent
}

export interface ManagedText {
  id: string
  /** In the format of the files of agents. */
  text: string
}

export interface ManagedAgentsOptions {
  /** Checks a text as that of a file of this name. */
  read: (file: string, text: string) => Promise<Reading>
  /** Makes the agent of a definition; reuses `before` if it is the same. */
  create: (definition: AgentDefinition, before: LoadedAgent | undefined) => Promise<LoadedAgent>
  /** Called once for each new problem. */
  onWarning: (message: string, cause?: unknown) => void
}

/** Agents whose texts are managed by staff instead of files. A text with mistakes leaves the last valid one in force. */
export class ManagedAgents {
  readonly #options: ManagedAgentsOptions
  #inForce = new Map<string, LoadedAgent>()
  problems: readonly string[] = []

  constructor(options: ManagedAgentsOptions) {
    this.#options = options
  }

  get loaded(): LoadedAgent[] {
    return [...this.#inForce.values()]
  }

  /** Replaces the texts in force. Never rejects. */
  async set(texts: readonly ManagedText[]): Promise<void> {
    const inForce = new Map<string, LoadedAgent>()
    const mistakes: string[] = []
    for (const { id, text } of texts) {
      const before = this.#inForce.get(id)
      const outcome = await this.#load(id, text, before)
      const found = Array.isArray(outcome) ? outcome : outcome.mistakes
      mistakes.push(...found.map((mistake) => sentenceOf(id, mistake)))
      const agent = Array.isArray(outcome) ? before : outcome
      if (agent) inForce.set(id, agent)
    }
    for (const mistake of mistakes) if (!this.problems.includes(mistake)) this.#options.onWarning(mistake)
    this.#inForce = inForce
    this.problems = mistakes
  }

  /** The mistakes of a text, those of its policy included; `name` is `null` if no agent can be made of it. */
  async check(id: string, text: string): Promise<{ mistakes: readonly Mistake[]; name: string | null }> {
    const reading = await this.#read(id, text)
    return { mistakes: reading.mistakes, name: reading.kind === 'read' ? reading.definition.name : null }
  }

  /** Makes an agent of a text without putting it into force; `null` if the text has mistakes. */
  async createTrial(id: string, text: string): Promise<Agent | null> {
    const reading = await this.#read(id, text)
    if (reading.kind === 'mistaken' || reading.mistakes.length > 0) return null
    return (await this.#options.create(reading.definition, this.#inForce.get(id))).agent
  }

  async #load(id: string, text: string, before: LoadedAgent | undefined): Promise<LoadedAgent | Mistake[]> {
    try {
      const reading = await this.#read(id, text)
      if (reading.kind === 'mistaken') return reading.mistakes
      return { ...(await this.#options.create(reading.definition, before)), mistakes: reading.mistakes }
    } catch (cause) {
      this.#options.onWarning(`Loading the managed agent ${id} failed; keeping its last valid version`, cause)
      return [{ file: fileOf(id), line: 1, message: 'cannot be read' }]
    }
  }

  async #read(id: string, text: string): Promise<Reading> {
    const reading = await this.#options.read(fileOf(id), text)
    if (reading.kind === 'mistaken' || reading.definition.id === id) return reading
    const message = `id must be "${id}", which a managed agent keeps`
    return { kind: 'mistaken', mistakes: [{ file: fileOf(id), line: 2, key: 'id', message }, ...reading.mistakes] }
  }
}

function fileOf(id: string): string {
  return `${id}.md`
}

function sentenceOf(id: string, { line, message }: Mistake): string {
  return `managed agent ${id}, line ${line}: ${message}`
}
