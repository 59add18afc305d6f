import type { Language } from '../../../contract/languages.ts'
import { type Grammar, loadGrammar } from './languages.ts'

/** Words that a question has around what it asks about; they say nothing about which passage answers it. */
const STOP_WORDS = new Set(
  (
    'a about actually after again all also am an and any anybody anyone anything are as ask at be because been being but by can cannot ' +
    'could did do does doing done each else ever every explain few for from get getting give go going got had has have having he hello ' +
    'help her here hey hi him his how i if in into is it its just kindly know let like ll m make many may maybe me might mine more most ' +
    'much must my need no not of on one only or other our out please put quite re really s said say shall she should show so some ' +
    'somebody someone something such t tell than thank thanks that the their them then there these they thing things this those to ' +
    'too u under up us use used using ve very want was way we well were what whats when where whether which while who whom whose why ' +
    'will with without work works would yes you your yours d don doesn didn isn aren won wouldn couldn shouldn happen happens'
  ).split(' '),
)

const MIN_STEM_CHARACTERS = 4

/** Words whose terms are remembered. */
const MAX_KNOWN_WORDS = 20_000

/** Brings words to the terms that they are indexed and searched under. */
export class Terms {
  readonly #grammars: readonly Grammar[]
  readonly #stopWords: ReadonlySet<string>
  /** Texts say the same words again and again. */
  readonly #known = new Map<string, readonly string[]>()

  constructor(grammars: readonly Grammar[] = []) {
    this.#grammars = grammars
    this.#stopWords = new Set([...STOP_WORDS, ...grammars.flatMap(({ stopWords }) => stopWords).map(plain)])
  }

  /** English always, and what is needed of the others. */
  static async of(languages: readonly Language[]): Promise<Terms> {
    return new Terms(await Promise.all(languages.filter((language) => language !== 'english').map(loadGrammar)))
  }

  /** The terms of a word, one for each way to bring it to its stem; none for a word that says nothing. */
  of(word: string): readonly string[] {
    const known = this.#known.get(word)
    if (known) return known
    const terms = this.#termsOf(word)
    if (this.#known.size >= MAX_KNOWN_WORDS) this.#known.clear()
    this.#known.set(word, terms)
    return terms
  }

  #termsOf(word: string): string[] {
    const simple = plain(word)
    if (simple === '' || this.#stopWords.has(simple)) return []
    const lower = word.normalize('NFC').toLowerCase()
    return [...new Set([stem(simple), ...this.#grammars.map((grammar) => plain(grammar.stem(lower)))])]
  }
}

/** Small letters without marks. */
function plain(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The words of a text: letters and digits, apostrophes apart. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

function stem(word: string): string {
  for (const [ending, replacement, minCharacters = MIN_STEM_CHARACTERS] of ENDINGS) {
    if (!word.endsWith(ending)) continue
    const base = word.slice(0, word.length - ending.length) + replacement
    if (base.length >= minCharacters) return withoutFinalE(base)
  }
  return withoutFinalE(word)
}

/** Ending, what takes its place, and how long the word must still be, because `answer` is not `answ`. */
const ENDINGS: readonly (readonly [string, string, number?])[] = [
  ['ations', 'ate'],
  ['ation', 'ate'],
  ['ssions', 'ss'],
  ['ies', 'i'],
  ['ing', ''],
  ['ers', '', 5],
  ['ed', ''],
  ['er', '', 5],
  ['es', ''],
  ['ss', 'ss'],
  ['s', ''],
  ['y', 'i'],
]

// "store", "stored" and "storing" must meet; a doubled consonant, as in "stopped", too.
function withoutFinalE(word: string): string {
  const base = word.length > MIN_STEM_CHARACTERS && word.endsWith('e') ? word.slice(0, -1) : word
  return base.length > MIN_STEM_CHARACTERS && /([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base
}
