import { PAGE_LANGUAGES, type PageLanguage } from '../../contract/page-languages.ts'
import { phraseSource, SENTENCE_ENDS, wordsOf } from '../safety/emergency/language-phrases.ts'
import { languageOf } from '../language.ts'
import { PERSON_PHRASES } from './person-phrases.ts'

/** Longer texts describe a matter, whatever else they ask for. */
const MAX_CHARACTERS = 200
/** The last four words of a question. */
const QUESTION = /(?:\S+\s+){3}\S+\s*[?？؟]/u
const CLAUSES = /[,;،、，：:–—]|\b(?:but|sondern)\b/u

const patterns = new Map<PageLanguage, { asks: RegExp; not: RegExp }>()

/**
 * Whether a prompt asks for a person instead of an answer, in its own language or one of `languages`. A question before the request is
 * to be answered.
 */
export function asksForPerson(prompt: string, languages: readonly string[]): boolean {
  if (prompt.length > MAX_CHARACTERS) return false
  const known = [languageOf(prompt, languages), ...languages, 'en']
  const tried = PAGE_LANGUAGES.filter((language) => known.some((tag) => tag?.split('-')[0] === language))
  const question = QUESTION.exec(prompt)
  if (question && prompt.slice(question.index + question[0].length).trim() !== '') return false
  return tried.some((language) => {
    const { asks, not } = patternsOf(language)
    const isRequest = (sentence: string) => sentence.split(CLAUSES).some((clause) => asks.test(wordsOf(clause)))
    return prompt.split(SENTENCE_ENDS).some((sentence) => isRequest(sentence) && !not.test(wordsOf(sentence)))
  })
}

function patternsOf(language: PageLanguage) {
  const known = patterns.get(language)
  if (known) return known
  const { slots, asks, not } = PERSON_PHRASES[language]
  const compiled = {
    asks: new RegExp(phraseSource(asks, { slots, language }), 'u'),
    not: new RegExp(phraseSource(not, { slots, language }), 'u'),
  }
  patterns.set(language, compiled)
  return compiled
}
