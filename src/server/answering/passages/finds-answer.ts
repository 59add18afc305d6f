import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelMessage } from 'ai'
import { complete } from '../completion.ts'
import type { TurnBudget } from '../history/turn-budget.ts'

/** More than "No." takes in any vocabulary. */
const MAX_OUTPUT_TOKENS = 4
const NO = /^\W*no\b/i

interface Asked {
  instructions: string
  /** It ends with the visitor's prompt after its passages: what comes before them has been read when the model answers. */
  messages: readonly ModelMessage[]
  /** The prompt, after the one that it follows up. */
  question: string
  budget: Pick<TurnBudget, 'meter'>
  signal: AbortSignal
}

/**
 * Asks a small model whether passages answer a question; true if it doesn't say no. It knows that far better than it answers, and than the
 * nearness of question and passages tells (eval/README.md).
 */
export async function findsAnswer(
  { model, onWarning }: { model: LanguageModelV4; onWarning: (message: string, cause?: unknown) => void },
  { instructions, messages, question, budget, signal }: Asked,
): Promise<boolean> {
  const prompt = messages.at(-1)
  if (prompt?.role !== 'user' || typeof prompt.content === 'string') return true
  // Other words get a no for more of the questions that the passages answer (eval/README.md).
  const text = `Question: ${question}\nDo the passages say this? Yes or No?`
  const asked = { ...prompt, content: [...prompt.content.slice(0, -1), { type: 'text' as const, text }] }
  try {
    const request = { instructions, text: [...messages.slice(0, -1), asked], maxOutputTokens: MAX_OUTPUT_TOKENS, signal }
    return !NO.test((await complete(model, request, budget.meter)).text)
  } catch (error) {
    if (signal.aborted) throw error
    onWarning('The model could not say whether the passages answer a question; it is asked to answer', error)
    return true
  }
}
