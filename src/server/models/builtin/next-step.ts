import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import { type Answer, answerFrom, directAnswer, hasFound, notCovered, restOf, type Surroundings } from './answers.ts'
import { type Conversation, readConversation } from './conversation.ts'
import { intentOf } from './intents.ts'
import type { Intent } from './intent-types.ts'
import { REPLIES } from './languages/replies.ts'

/** The next step of the built-in assistant: a tool call or an answer. */
export type Step = { kind: 'call'; toolName: string; input: Record<string, unknown> } | { kind: 'say'; answer: Answer }

/** Decides the next step. A pure function of conversation, tools and starters. */
export async function nextStep(
  { prompt, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>,
  starters: readonly string[] = [],
): Promise<Step> {
  const conversation = readConversation(prompt)
  const intent = await intentOf(conversation.prompt, conversation.earlier)
  const step = stepIn(intent, conversation, { tools: tools.map(({ name }) => name), starters })
  return step.kind === 'say' ? { kind: 'say', answer: restOf(step.answer, conversation.said, REPLIES[intent.replyLanguage]) } : step
}

function stepIn(intent: Intent, { results }: Conversation, surroundings: Surroundings): Step {
  const answer = directAnswer(intent, surroundings)
  if (answer) return { kind: 'say', answer }
  const call = callFor(intent, results.length)
  const result = results.at(-1)
  if (result && (call === undefined || isEnough(intent, result.output)))
    return { kind: 'say', answer: answerFrom(intent, result, surroundings) }
  const isThere = call !== undefined && surroundings.tools.includes(call.toolName)
  return isThere ? call : { kind: 'say', answer: notCovered(intent, [], surroundings) }
}

/** Whether the last result suffices; otherwise the next query is tried. */
function isEnough(intent: Intent, output: { type: string; value?: unknown }): boolean {
  return intent.kind !== 'search' || output.type !== 'json' || hasFound(intent, output.value as SearchKnowledgeResult)
}

/** The call for an intent after some results; undefined when there is nothing more to call. */
function callFor(intent: Intent, results: number): Extract<Step, { kind: 'call' }> | undefined {
  if (intent.kind === 'search') {
    const query = intent.queries[results]
    return query === undefined ? undefined : { kind: 'call', toolName: 'search_knowledge', input: { query } }
  }
  if (results > 0) return undefined
  switch (intent.kind) {
    case 'calculate':
      return { kind: 'call', toolName: 'calculator', input: { expression: intent.expression } }
    case 'convert':
      return { kind: 'call', toolName: 'convert_units', input: { amount: intent.amount, from: intent.from, to: intent.to } }
    case 'time':
    case 'date':
      return { kind: 'call', toolName: 'date_time', input: intent.input }
    case 'reaction':
      return intent.query === null ? undefined : { kind: 'call', toolName: 'search_knowledge', input: { query: intent.query } }
    default:
      return undefined
  }
}
