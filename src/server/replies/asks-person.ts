import { PAGE_LANGUAGES, type PageLanguage } from '../../contract/page-languages.ts'
import { phraseSource, sentencesOf } from '../safety/emergency/language-phrases.ts'
import { languageOf } from '../language.ts'
import { PERSON_PHRASES } from './person-phrases.ts'

/** Longer texts describe a matter, whatever else they ask for. */
const MAX_CHARACTERS = 400

const patterns = new Map<PageLanguage, { asks: RegExp; not: RegExp }>()

/** Whether a prompt asks for a person instead of an answer, in its own language or one of `languages`. */
export function asksForPerson(prompt: string, languages: readonly string[]): boolean {
  if (prompt.length > MAX_CHARACTERS) return false
  const known = [languageOf(prompt, languages), ...languages, 'en']
  const tried = new Set(PAGE_LANGUAGES.filter((language) => known.some((tag) => tag?.split('-')[0] === language)))
  return sentencesOf(prompt).some((words) => [...tried].some((language) => matches(words, language)))
}

function matches(words: string, language: PageLanguage): boolean {
  let pattern = patterns.get(language)
  if (!pattern) {
    const { slots, asks, not } = PERSON_PHRASES[language]
    pattern = {
      asks: new RegExp(phraseSource(asks, { slots, language }), 'u'),
      not: new RegExp(phraseSource(not, { slots, language }), 'u'),
    }
    patterns.set(language, pattern)
  }
  return pattern.asks.test(words) && !pattern.not.test(words)
}
