import { estimateTokens } from '../src/server/answering/agents/agent.ts'
import type { AgentDefinition } from '../src/server/answering/agents/definition/agent-definition.ts'
import type { Settings } from '../src/server/config/config.ts'
import { readAgents } from './agent-files.ts'
import type { Case, Turn } from '../src/server/insights/evaluation/cases.ts'
import { JUDGE_OUTPUT_TOKENS, VERDICTS } from './rubric-judge.ts'

/** Estimated tokens of a prompt with one lookup: instructions and tools, search results, output. */
const FIXED_INPUT_TOKENS = 2_500
const FOUND_TOKENS = 2_500
const OUTPUT_TOKENS = 400
const CALLS = 2
const JUDGE_INPUT_TOKENS = 800
const PER_PRICE = 1_000_000

export interface Estimate {
  model: string
  inputTokens: number
  outputTokens: number
  /** In the currency of the price settings; null if no price is known. */
  cost: number | null
}

/** Model of a configured name, as in price lists. */
export function nameOfModel(model: Settings['model']): string {
  return model.kind === 'builtin' || model.kind === 'local' ? model.kind : model.model
}

/** Expected usage of all cases, by model. */
export function estimateRun(
  cases: readonly Case[],
  settings: Settings,
  { repeat, judge }: { repeat: number; judge: string | null },
): Estimate[] {
  const agents = readAgents(settings.agentsDirectory)
  const used = new Map<string, { input: number; output: number }>()
  const add = (model: string, input: number, output: number) => {
    const before = used.get(model) ?? { input: 0, output: 0 }
    used.set(model, { input: before.input + input * repeat, output: before.output + output * repeat })
  }
  for (const { agent, turns } of cases) {
    const model = modelOf(agent === null ? agents[0] : agents.find(({ id }) => id === agent), settings)
    let history = 0
    for (const turn of turns) {
      history += estimateTokens(turn.prompt)
      add(model, CALLS * (FIXED_INPUT_TOKENS + history) + FOUND_TOKENS, OUTPUT_TOKENS)
      history += OUTPUT_TOKENS
      if (judge !== null) addJudge(turn, (input, output) => add(judge, input, output))
    }
  }
  return [...used].map(([model, { input, output }]) => estimateOf(model, input, output, settings))
}

/** A name in an agent's file can start with its provider. */
function modelOf(agent: AgentDefinition | undefined, { model }: Settings): string {
  return agent?.model?.replace(/^(?:openai|anthropic|google|mistral|azure|bedrock):/, '') ?? nameOfModel(model)
}

function addJudge({ judge }: Turn, add: (input: number, output: number) => void): void {
  if (judge) add(VERDICTS * (JUDGE_INPUT_TOKENS + estimateTokens(judge.rubric)), VERDICTS * JUDGE_OUTPUT_TOKENS)
}

function estimateOf(model: string, inputTokens: number, outputTokens: number, { prices }: Settings): Estimate {
  const isOwn = model === 'builtin' || model === 'local'
  const price = isOwn ? { input: 0, output: 0 } : prices.of(model)
  const isKnown = isOwn || (price !== null && price.input + price.output > 0)
  const cost = isKnown && price ? (inputTokens * price.input + outputTokens * price.output) / PER_PRICE : null
  return { model, inputTokens, outputTokens, cost }
}

export function costLine(estimates: readonly Estimate[]): string {
  const lines = estimates.map(({ model, inputTokens, outputTokens, cost }) => {
    if (model === 'builtin') return 'builtin: free'
    const tokens = `about ${thousands(inputTokens)} tokens read and ${thousands(outputTokens)} written`
    return `${model}: ${tokens}, ${cost === null ? 'its price is not set (PRICES)' : `about ${cost.toFixed(2)}`}`
  })
  return `Estimated cost: ${lines.join('; ')}.`
}

function thousands(count: number): string {
  return Math.round(count).toLocaleString('en')
}
