import { create } from 'zustand'
import type { AnswerPreferences } from '../../contract/chat/answer-preferences.ts'
import { useConfiguration } from './configuration.ts'

/** The visitor’s choices about answers. They end with the page and go along with each prompt. */
export const useAnswerPreferences = create<{ webSearch: boolean }>(() => ({ webSearch: false }))

export const chooseWebSearch = (webSearch: boolean): void => useAnswerPreferences.setState({ webSearch })

/** The choices that go along with a prompt: those that the agent offers. */
export function answerPreferences(): AnswerPreferences {
  const { choices = [] } = useConfiguration.getState()?.agent ?? {}
  const { webSearch } = useAnswerPreferences.getState()
  return { ...(webSearch && choices.includes('web_search') && { webSearch }) }
}
