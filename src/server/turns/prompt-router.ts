import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import type { Agent } from '../answering/agents/agent.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import { replyToVerdict, verdictRequest } from '../replies/routing/model-verdict.ts'
import type { Database } from '../store/engine/database.ts'
import type { ModelBudget } from './model-budget.ts'
import { paidCompletion } from './paid-completion.ts'

/** A verdict that takes longer is not waited for. */
const TIME_LIMIT_MS = 5_000

export interface RouteOptions {
  database: Database
  onFault: (message: string, cause: unknown) => void
}

/**
 * The fixed reply that the agent's model decides on for the newest prompt, where its policy says so; `null` for none, or if the verdict
 * fails or can't be paid. Undefined without such a policy.
 */
export function routePrompt(
  { database, onFault }: RouteOptions,
  agent: Pick<Agent, 'policy' | 'completionOf'>,
  { model, reservations }: ModelBudget,
  { messages, languages, signal }: { messages: readonly ChatMessage[]; languages: readonly string[]; signal: AbortSignal },
): Promise<FixedReply | null> | undefined {
  const { policy } = agent
  const complete = policy.definition.routing === 'model' ? agent.completionOf(model) : null
  if (!complete) return undefined
  const [prompt, earlier] = lastPrompts(messages)
  const ask = async () => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)])
    const request = { ...verdictRequest(policy.definition, { prompt, earlier }), signal: limited }
    const completion = await paidCompletion(database, reservations, complete, request)
    return completion && replyToVerdict(completion.text, policy, { prompt, languages })
  }
  return ask().catch((cause: unknown) => {
    if (!signal.aborted) onFault('Routing a prompt by the model failed; answering it without', cause)
    return null
  })
}

/** The newest prompt, and the one before it. */
export function lastPrompts(messages: readonly ChatMessage[]): [prompt: string, earlier: string | null] {
  const [prompt = '', earlier = null] = messages
    .filter(({ role }) => role === 'user')
    .slice(-2)
    .map(textOf)
    .toReversed()
  return [prompt, earlier]
}
