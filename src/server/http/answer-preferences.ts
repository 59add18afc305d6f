import type { AnswerPreferences } from '../../contract/answer-preferences.ts'
import { findPersonalData } from '../../contract/personal-data/find-personal-data.ts'
import { kindsWith } from '../../contract/personal-data/kinds.ts'
import { mask } from '../../contract/personal-data/placeholders.ts'
import type { Agent } from '../agent/agent.ts'

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
