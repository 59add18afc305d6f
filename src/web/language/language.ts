import { create } from 'zustand'
import { directionOf, type Language, LANGUAGES, languageOf } from './languages.ts'
import { deviceStorage } from '../storage/storage.ts'

/** What a sentence is in another language: a text, or one for each plural category (CLDR) that the language tells apart. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>
/** Translations by the English sentence. */
export type Translations = Readonly<Record<string, Translation>>

export interface LanguageState {
  language: Language
  /** How dates and numbers are written: as the browser asks for in this language, `de-CH` say. */
  locale: string
  translations: Translations
}

/** Nobody waits longer than this for a language; English stands meanwhile. */
const LONGEST_WAIT_MS = 3_000
const STORAGE_KEY = 'language'

/** What the first visit says. */
const FIRST = import.meta.glob<Translations>('./messages/*.json', { query: '?first', import: 'default' })

export const useLanguage = create<LanguageState>(() => ({ language: 'en', locale: localeFor('en'), translations: {} }))

/** The choice that this visitor made, not the browser. */
let chosen: Language | null = null

/** Takes the language that was stored on this device, or the first of the browser's that the page speaks; English if there is none. */
export async function startLanguage(): Promise<void> {
  const stored = LANGUAGES.find((language) => language === deviceStorage.getItem(STORAGE_KEY))
  const wished = navigator.languages.map(languageOf).find((language) => language !== undefined)
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))
  await Promise.race([speak(stored ?? wished ?? 'en'), late])
}

/** From now on the page speaks this language, once it is loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language, true)
}

/** Keeps the visitor's choice on this device; to be called once the visitor accepts that anything is kept. */
export function storeLanguage(): void {
  if (chosen) deviceStorage.setItem(STORAGE_KEY, chosen)
}

/** The last wins, whichever is loaded first. */
let wanted: Language = 'en'

async function speak(language: Language, isChoice = false): Promise<void> {
  wanted = language
  const first = (await FIRST[`./messages/${language}.json`]?.()) ?? {}
  if (wanted !== language) return
  if (isChoice) chosen = language
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  useLanguage.setState({ language, locale: localeFor(language), translations: first })
  if (language !== 'en') loadRest(language, first).catch(console.error)
}

/** What is said later is loaded behind what is said first. */
async function loadRest(language: Language, first: Translations): Promise<void> {
  const { lazyMessagesOf } = await import('./lazy-messages.ts')
  const rest = await lazyMessagesOf(language)
  if (useLanguage.getState().language === language) useLanguage.setState({ translations: { ...first, ...rest } })
}

function localeFor(language: Language): string {
  return globalThis.navigator?.languages?.find((tag) => languageOf(tag) === language) ?? language
}
