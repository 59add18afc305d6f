import { PAGE_LANGUAGES, type PageLanguage } from '../../../contract/page-languages.ts'
import { fold } from '../../../text/fold.ts'
import { foldWording } from '../../../text/fold-wording.ts'
import { classify } from './classifier/classify.ts'
import { windowsOf } from './classifier/windows.ts'
import { EMERGENCY_KINDS, type EmergencyKind } from './kinds.ts'
import type { LanguagePhrases } from './language-phrases.ts'
import { PHRASES } from './phrases.ts'

/** A long text is read at both ends. */
const MAX_READ_CHARACTERS = 4_000
const APOSTROPHES = /['’ʼ`´]/g
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const SLOT = /\{([a-z]+)\}/g

/** An emergency; `language` is that of the phrase that names it, `null` where the classifier found it. */
export interface Emergency {
  kind: EmergencyKind
  language: PageLanguage | null
}

/** The emergency that a text describes, in one of the languages of the page; `null` for none. Takes time that is linear in its length. */
export function detectEmergency(text: string): Emergency | null {
  if (text !== last.text) last = { text, found: emergencyIn(text) }
  return last.found
}

/** The last text: several checks of one prompt ask about it. */
let last: { text: string; found: Emergency | null } = { text: '', found: null }

function emergencyIn(text: string): Emergency | null {
  const read = text.length <= 2 * MAX_READ_CHARACTERS ? text : `${text.slice(0, MAX_READ_CHARACTERS)}\n${text.slice(-MAX_READ_CHARACTERS)}`
  const phrase = phraseIn(read)
  if (phrase) return phrase
  for (const window of windowsOf(read)) {
    const kind = classify(window)
    if (kind) return { kind, language: null }
  }
  return null
}

let patterns: readonly { kind: EmergencyKind; language: PageLanguage; pattern: RegExp }[] | undefined

/** The emergency that a phrase names. */
export function phraseIn(text: string): Emergency | null {
  const words = ` ${foldWording(text.replace(APOSTROPHES, ''))} `
  patterns ??= EMERGENCY_KINDS.flatMap((kind) =>
    PAGE_LANGUAGES.map((language) => ({ kind, language, pattern: patternOf(PHRASES[language], kind) })),
  )
  const found = patterns.find(({ pattern }) => pattern.test(words))
  return found ? { kind: found.kind, language: found.language } : null
}

/** The phrases of a kind, as one expression. */
function patternOf({ slots, phrases }: LanguagePhrases, kind: EmergencyKind): RegExp {
  const filled = (source: string): string => source.replace(SLOT, (_, name: string) => filled(slots[name] ?? ''))
  const source = fold(filled(phrases[kind].join('|')).replaceAll('…', '[^ ]*'))
  return new RegExp(WITHOUT_SPACES.test(source) ? source : ` (?:${source}) `, 'u')
}
