import { create } from 'zustand'
import type { AnswerPreferences } from '../../contract/chat/answer-preferences.ts'
import type { PublicAgent } from '../../contract/config.ts'
import { deviceStorage } from '../../ui/storage/storage.ts'
import { useConfiguration } from './configuration.ts'

const STORED_KEY = 'instructions'
const THOROUGH_KEY = 'thorough'

/** The visitor’s choices about answers. They stay in this browser and go along with each prompt. */
export const useAnswerPreferences = create<{ instructions: string; thorough: boolean; webSearch: boolean }>(() => ({
  instructions: deviceStorage.getItem(STORED_KEY) ?? '',
  thorough: deviceStorage.getItem(THOROUGH_KEY) !== null,
  webSearch: false,
}))

/** Changes the standing instructions; `isStored` keeps them in this browser, otherwise they end with the page. */
export function changeInstructions(instructions: string, isStored: boolean): void {
  useAnswerPreferences.setState({ instructions })
  if (isStored && instructions !== '') deviceStorage.setItem(STORED_KEY, instructions)
  else deviceStorage.removeItem(STORED_KEY)
}

/** Chooses between thorough and fast answers; `isStored` keeps the choice in this browser. */
export function chooseThorough(thorough: boolean, isStored: boolean): void {
  useAnswerPreferences.setState({ thorough })
  if (thorough && isStored) deviceStorage.setItem(THOROUGH_KEY, 'on')
  else deviceStorage.removeItem(THOROUGH_KEY)
}

export const chooseWebSearch = (webSearch: boolean): void => useAnswerPreferences.setState({ webSearch })

/** Forgets the choices, which this device's storage no longer has. */
export const forgetPreferences = (): void => useAnswerPreferences.setState({ instructions: '', thorough: false, webSearch: false })

/** Display name of the model that answers next. */
export const useModelLabel = ({ model, thoroughModel }: Pick<PublicAgent, 'model' | 'thoroughModel'>): string =>
  useAnswerPreferences(({ thorough }) => (thorough && thoroughModel) || model.label)

/** The choices that go along with a prompt: those that the agent offers. */
export function answerPreferences(): AnswerPreferences {
  const { choices = [] } = useConfiguration.getState()?.agent ?? {}
  const { instructions, thorough, webSearch } = useAnswerPreferences.getState()
  return {
    ...(instructions !== '' && choices.includes('instructions') && { instructions }),
    ...(thorough && choices.includes('thorough') && { thorough }),
    ...(webSearch && choices.includes('web_search') && { webSearch }),
  }
}
