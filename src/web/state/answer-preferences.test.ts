import { afterEach, expect, test, vi } from 'vitest'
import type { PublicConfiguration } from '../../contract/config.ts'

afterEach(() => {
  vi.resetModules()
  vi.unstubAllGlobals()
})

/** The page as it starts, with an agent that offers these choices. */
async function pageWith(...choices: string[]) {
  const { useConfiguration } = await import('./configuration.ts')
  useConfiguration.setState({ agent: { choices } } as unknown as PublicConfiguration)
  return import('./answer-preferences.ts')
}

test('only what the agent offers goes along with a prompt', async () => {
  const page = await pageWith('instructions')
  expect(page.answerPreferences()).toEqual({})
  page.changeInstructions('Be brief.', false)
  page.chooseWebSearch(true)
  expect(page.answerPreferences()).toEqual({ instructions: 'Be brief.' })
  await pageWith('web_search')
  expect(page.answerPreferences()).toEqual({ webSearch: true })
})

test('thorough answers stay chosen in this browser where choices may be stored, and are forgotten with the rest', async () => {
  const items = new Map<string, string>()
  const getItem = (key: string) => items.get(key) ?? null
  vi.stubGlobal('localStorage', {
    getItem,
    setItem: (...item: [string, string]) => items.set(...item),
    removeItem: (key: string) => items.delete(key),
  })
  const page = await pageWith('thorough')
  page.chooseThorough(true, false)
  expect(page.answerPreferences()).toEqual({ thorough: true })
  expect(getItem('thorough')).toBeNull()
  page.chooseThorough(true, true)
  vi.resetModules()
  const again = await pageWith('thorough')
  expect(again.answerPreferences()).toEqual({ thorough: true })
  again.chooseThorough(false, true)
  expect(getItem('thorough')).toBeNull()
  again.chooseThorough(true, true)
  again.forgetPreferences()
  expect(again.answerPreferences()).toEqual({})
  expect((await pageWith('instructions')).answerPreferences()).toEqual({})
})

test('instructions are stored on demand, and forgotten with the rest', async () => {
  const page = await pageWith('instructions')
  const { deviceStorage } = await import('../../ui/storage/storage.ts')
  page.changeInstructions('Be brief.', true)
  expect(deviceStorage.getItem('instructions')).toBe('Be brief.')
  page.changeInstructions('Be kind.', false)
  expect(deviceStorage.getItem('instructions')).toBeNull()
  page.changeInstructions('', true)
  expect(deviceStorage.getItem('instructions')).toBeNull()
  page.forgetPreferences()
  expect(page.answerPreferences()).toEqual({})
})

test('no choice goes along before the configuration is known', async () => {
  const page = await pageWith('thorough')
  page.chooseThorough(true, false)
  const { useConfiguration } = await import('./configuration.ts')
  useConfiguration.setState(null, true)
  expect(page.answerPreferences()).toEqual({})
})
