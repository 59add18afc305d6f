import { expect, test } from 'vitest'
import type { PublicConfiguration } from '../../contract/config.ts'
import { answerPreferences, chooseWebSearch } from './answer-preferences.ts'
import { useConfiguration } from './configuration.ts'

const offer = (...choices: string[]) => useConfiguration.setState({ agent: { choices } } as unknown as PublicConfiguration)

test('only what the agent offers goes along with a prompt', () => {
  chooseWebSearch(true)
  expect(answerPreferences()).toEqual({})
  offer('simpler')
  expect(answerPreferences()).toEqual({})
  offer('web_search')
  expect(answerPreferences()).toEqual({ webSearch: true })
  chooseWebSearch(false)
  expect(answerPreferences()).toEqual({})
})
