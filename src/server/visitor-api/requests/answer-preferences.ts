import type { AnswerPreferences } from '../../../contract/chat/answer-preferences.ts'
import type { Agent } from '../../answering/agents/agent.ts'

/** The visitor's choices in a body, as far as the agent offers them. */
export function answerPreferences({ webSearch, context }: AnswerPreferences, { choices }: Pick<Agent, 'choices'>): AnswerPreferences {
  return { ...(webSearch && choices.includes('web_search') && { webSearch }), context }
}
