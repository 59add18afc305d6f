import type { PageLanguage } from '../../../contract/page-languages.ts'
import { fold } from '../../../text/fold.ts'
import { foldWording } from '../../../text/fold-wording.ts'
import type { EmergencyKind } from './kinds.ts'

/**
 * Phrases of a language as patterns over the folded words of a sentence, without apostrophes and punctuation: regular expressions in
 * which `..` stands for up to four words (in scripts without spaces up to eight characters), `*` for the rest of a word, `(a|b)` for a
 * choice, `{name}` for a slot, and `«a|b»` for a sentence that is nothing else but words of the slot `beside`. A phrase begins and ends at
 * a word, except in scripts without spaces.
 */
export interface LanguagePhrases {
  slots?: Readonly<Record<string, string>>
  phrases: Readonly<Record<EmergencyKind, readonly string[]>>
  /** Beginnings of questions that are about something else, and words that show it anywhere: the sentence then counts for self-harm alone. */
  calm: { beginnings: readonly string[]; words: readonly string[] }
}

const APOSTROPHES = /['’ʼ`´]/g
export const SENTENCE_ENDS = /[.!?。！？؟।\n;…]+/u
const WITHOUT_SPACES: readonly PageLanguage[] = ['ja', 'zh']
const SLOT = /\{([a-z]+)\}/g

/** The folded words of a text between spaces, in which phrases are looked for. */
export const wordsOf = (text: string): string => ` ${foldWording(text.replace(APOSTROPHES, ''))} `

interface PhraseOptions {
  slots?: Readonly<Record<string, string>> | undefined
  language: PageLanguage
  /** An expression before the phrase. */
  start?: string | undefined
}

/** The source of an expression with the flag `u` that finds any of these phrases in such words. */
export function phraseSource(sources: readonly string[], { slots = {}, language, start = '' }: PhraseOptions): string {
  const spaced = !WITHOUT_SPACES.includes(language)
  const filled = (source: string): string => source.replace(SLOT, (_, name: string) => `(${filled(slots[name] ?? '')})`)
  const gap = spaced ? ' ' : ' ?'
  const marked = sources.join('|').replaceAll('«', `(?<=^ )({beside}${gap}){0,3}(`).replaceAll('»', `)(${gap}{beside}){0,3}(?= ?$)`)
  const source = fold(filled(marked))
    .replaceAll(/\.\. ?/g, spaced ? '(?:[^ ]+ ){0,5}?' : '.{0,8}?')
    .replaceAll('*', '[^ ]*')
    .replaceAll(/\((?!\?)/g, '(?:')
  return spaced ? `${start} (?:${source})(?= )` : `${start} ?(?:${source})`
}
