import type { AnswerPreferences } from '../../../contract/chat/answer-preferences.ts'
import { findPersonalData } from '../../../personal-data/find-personal-data.ts'
import { kindsWith } from '../../../personal-data/kinds.ts'
import { mask } from '../../../personal-data/placeholders.ts'
import type { Agent } from '../../answering/agents/agent.ts'

/** The visitor's choices in a body, as far as the agent offers them, without the personal data that it masks or refuses. */
export function answerPreferences(
  { instructions = '', thorough, webSearch }: AnswerPreferences,
  { choices, personalData }: Pick<Agent, 'choices' | 'personalData'>,
): AnswerPreferences {
  const isInstructed = instructions !== '' && choices.includes('instructions')
  return {
    ...(isInstructed && {
      instructions: mask(instructions, findPersonalData(instructions, kindsWith(personalData, 'mask', 'refuse'))).text,
    }),
    ...(thorough && choices.includes('thorough') && { thorough }),
    ...(webSearch && choices.includes('web_search') && { webSearch }),
  }
}
