import type { ChatChunk, ChatMessage } from '../../contract/message.ts'
import { instructionsFor } from './instructions.ts'
import { KnowledgeIndex } from './knowledge/knowledge-index.ts'
import { loadKnowledge } from './knowledge/load-knowledge.ts'
import { type Installation, placeholderValues } from './knowledge/placeholder-values.ts'
import { connectModel, describeModel, type ModelDescription, type ModelSettings } from './model/connect-model.ts'
import { DEFAULT_LIMITS, type ModelLimits } from './model/limits.ts'
import { MergePace } from './model/merge-pace.ts'
import { SAMPLE_PROMPTS } from './model/builtin/small-talk.ts'
import { type RunOptions, runAgent } from './run-agent.ts'
import { estimateTokens } from './token-meter.ts'
import { createTools, describeTools } from './tools/tools.ts'

export { AgentFailure } from './agent-failure.ts'
export type { Installation } from './knowledge/placeholder-values.ts'
export type { ModelSettings } from './model/connect-model.ts'
export type { ModelLimits } from './model/limits.ts'
export type { ChatChunk, ChatMessage }

export interface AgentOptions {
  model: ModelSettings
  knowledgeDirectory: string
  installation: Installation
  limits?: Partial<ModelLimits>
  now?: () => Date
  /** Hears what the operator should know and the visitor should not. */
  onWarning?: (message: string, cause?: unknown) => void
}

export interface Agent {
  readonly id: string
  readonly name: string
  readonly greeting: string
  /** Prompts to begin with, at most 6. */
  readonly starters: string[]
  readonly model: ModelDescription
  /**
   * Yields the answer's chunks without start, finish, error and abort: those belong to the turn.
   * Ends quietly when `signal` aborts. Throws `AgentFailure` otherwise.
   */
  run(options: RunOptions): AsyncIterable<ChatChunk>
}

const AGENT_ID = 'assistant'
/** Nobody pays for what the built-in assistant reads. */
const FREE = { maxInputTokens: Number.POSITIVE_INFINITY, maxOutputTokens: Number.POSITIVE_INFINITY }

/** Loads the knowledge and connects the model; no request is made before the first answer. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { installation, now = () => new Date(), onWarning = () => {} } = options
  const limits = { ...DEFAULT_LIMITS, ...(options.model.kind === 'builtin' && FREE), ...options.limits }
  const description = describeModel(options.model)
  const values = placeholderValues(installation, description)
  const knowledge = new KnowledgeIndex(await loadKnowledge({ directory: options.knowledgeDirectory, values, onWarning }))
  const tools = createTools({ knowledge, now, limits, onWarning })
  const pace = new MergePace(limits)
  const model = await connectModel(options.model, limits, pace)
  const instructions = instructionsFor(installation.name)
  const fixedInput = estimateTokens(instructions + (await describeTools(tools)))
  const context = { model, tools, limits, pace, instructions, fixedInput }
  return {
    id: AGENT_ID,
    name: 'Assistant',
    greeting: `Hello, I am the assistant of ${installation.name}. What would you like to know?`,
    starters: ['What can you do?', ...SAMPLE_PROMPTS.slice(0, 5)],
    model: description,
    run: (run) => runAgent(context, run),
  }
}
