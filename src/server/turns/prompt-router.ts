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

/** Has the agent's model decide which prompts get a fixed reply, where the agent's policy says so. */
export class PromptRouter {
  readonly #database: Database
  readonly #onFault: (message: string, cause: unknown) => void

  constructor({ database, onFault }: { database: Database; onFault: (message: string, cause: unknown) => void }) {
    this.#database = database
    this.#onFault = onFault
  }

  /** The fixed reply to the newest prompt; `null` for none, or if the verdict fails or can't be paid. Undefined without such a policy. */
  reply(
    agent: Pick<Agent, 'policy' | 'completionOf'>,
    { model, reservations }: ModelBudget,
    { messages, languages, signal }: { messages: readonly ChatMessage[]; languages: readonly string[]; signal: AbortSignal },
  ): Promise<FixedReply | null> | undefined {
    const { policy } = agent
    const complete = policy.definition.routing === 'model' ? agent.completionOf(model) : null
    if (!complete) return undefined
    const [prompt = '', earlier = null] = messages
      .filter(({ role }) => role === 'user')
      .map(textOf)
      .toReversed()
    const ask = async () => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)])
      const request = { ...verdictRequest(policy.definition, { prompt, earlier }), signal: limited }
      const completion = await paidCompletion(this.#database, reservations, complete, request)
      return completion && replyToVerdict(completion.text, policy, { prompt, languages })
    }
    return ask().catch((cause: unknown) => {
      if (!signal.aborted) this.#onFault('Routing a prompt by the model failed; answering it without', cause)
      return null
    })
  }
}
