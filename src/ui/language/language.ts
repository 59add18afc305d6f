import { create } from 'zustand'
import { directionOf, type Language, LANGUAGES, languageOf } from './languages.ts'
import { deviceStorage } from '../storage/storage.ts'

/** A translation: a text, or one text per CLDR plural category. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>
/** Translations by English text. */
export type Translations = Readonly<Record<string, Translation>>

export interface LanguageState {
  language: Language
  /** Locale for dates and numbers: the browser's variant of the language, such as `de-CH`. */
  locale: string
  translations: Translations
}

/** Time limit for loading a language. English is shown meanwhile. */
const LONGEST_WAIT_MS = 3_000
const STORAGE_KEY = 'language'

/** Loads the translations of a page into a language. */
export type MessageSource = (language: Language) => Promise<Translations>

/** That of the page which was started. */
let source: MessageSource = () => Promise.resolve({})

export const useLanguage = create<LanguageState>(() => ({ language: 'en', locale: localeFor('en'), translations: {} }))

/** The reader's explicit choice; null for the browser's language. */
let chosen: Language | null = null

/** Loads and applies the reader's preferred language. */
export async function startLanguage(messages: MessageSource): Promise<void> {
  source = messages
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))
  await Promise.race([speak(preferredLanguage()), late])
}

/**
 * The language stored on this device, that of the embedding page, or the first of the browser's that the page has; English if there is
 * none.
 */
export function preferredLanguage(): Language {
  const stored = LANGUAGES.find((language) => language === deviceStorage.getItem(STORAGE_KEY))
  const embedding = new URLSearchParams(globalThis.location?.search).get('language')
  return stored ?? languageOf(embedding ?? '') ?? navigator.languages.map(languageOf).find((language) => language !== undefined) ?? 'en'
}

export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language, true)
}

/** Stores the choice on this device. Call it only with consent. */
export function storeLanguage(): void {
  if (chosen) deviceStorage.setItem(STORAGE_KEY, chosen)
}

/** The latest choice wins, whichever loads first. */
let wanted: Language = 'en'

async function speak(language: Language, isChoice = false): Promise<void> {
  wanted = language
  const translations = language === 'en' ? {} : await source(language)
  if (wanted !== language) return
  if (isChoice) chosen = language
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  useLanguage.setState({ language, locale: localeFor(language), translations })
}

function localeFor(language: Language): string {
  return globalThis.navigator?.languages?.find((tag) => languageOf(tag) === language) ?? language
}
