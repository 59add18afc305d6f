import { type AnswerState, answerStateOf } from '../../contract/chat/answer-state.ts'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { type Agent, estimateTokens } from '../answering/agents/agent.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import { stoppedFiles } from '../replies/stopped-topics.ts'
import { reserveBudgetsAlone } from '../store/turns/budgets.ts'
import type { Database } from '../store/engine/database.ts'
import { readStops } from '../store/staff/stops.ts'
import { BEFORE_THE_MODEL, firstOutcome } from './before-the-model.ts'
import { newMessageId } from './ids.ts'
import type { ModelBudget } from './model-budget.ts'
import { endChunks } from './log/replay.ts'
import { unstoredAnswer, type UnstoredEnd, maskedMessages } from './unstored-answer.ts'

export interface TrialAnswersOptions {
  database: Database
  moderator: Pick<Moderator, 'check'> | null
  budgetFor: (agent: Pick<Agent, 'modelOf'>, promptTokens: number) => ModelBudget
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/**
 * Answers staff as an agent would answer visitors, without the personal data that it masks or refuses. Nothing is stored but what an answer costs. What staff have stopped is answered, so that a
 * correction can be tried before the stop is lifted; stopped files stay out.
 */
export class TrialAnswers {
  readonly #options: TrialAnswersOptions

  constructor(options: TrialAnswersOptions) {
    this.#options = options
  }

  /** The chunks of the answer to the last message, from start to end. Failures and rejections are ends too. On abort, there is no end. */
  async *answer(agent: Agent, messages: ChatMessage[], signal: AbortSignal): AsyncGenerator<ChatChunk, void, undefined> {
    const createdAt = new Date(this.#options.now()).toISOString()
    const metadata = { model: agent.modelOf('primary').label, createdAt, aiGenerated: true } as const
    yield { type: 'start', messageId: newMessageId(), messageMetadata: metadata }
    const states: AnswerState[] = []
    const end = yield* this.#written(agent, messages, signal, (state) => states.push(state))
    if (signal.aborted) return
    const { status, code } = end
    yield* endChunks({ status, ...(code && { code }), state: answerStateOf(end, states.at(-1)) })
  }

  async *#written(
    agent: Agent,
    given: ChatMessage[],
    signal: AbortSignal,
    onState: (state: AnswerState) => void,
  ): AsyncGenerator<ChatChunk, UnstoredEnd, undefined> {
    const { database, moderator, budgetFor } = this.#options
    if (agent.notReady) return { status: 'failed', code: agent.notReady.code }
    const messages = maskedMessages(given, agent.personalData, ['user'])
    const prompt = textOf(messages.at(-1) ?? { parts: [] })
    const asGiven = textOf(given.at(-1) ?? { parts: [] })
    const stops = (await readStops(database)).stops.filter(({ scope }) => scope === 'file')
    const decided = { prompt, languages: [], agent: agent.id, policy: agent.policy, stops }
    const early =
      (await firstOutcome(BEFORE_THE_MODEL.arrival, { ...decided, prompt: asGiven, rules: agent.personalData })) ??
      (await firstOutcome(BEFORE_THE_MODEL.admission, { texts: messages.map(textOf), moderator }))
    if (early?.kind === 'rejected') return { status: 'failed', code: early.code }
    const reply = early ?? (await firstOutcome(BEFORE_THE_MODEL.answer, decided))
    const budget = budgetFor(agent, estimateTokens(prompt))
    if (await reserveBudgetsAlone(database, budget.reservations)) return { status: 'failed', code: 'budget_exhausted' }
    const request = { agent, messages, languages: [], reply, budget, excludedFiles: stoppedFiles(stops), signal, onState }
    return yield* unstoredAnswer(this.#options, request)
  }
}
