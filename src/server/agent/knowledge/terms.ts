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

/** The term that a word is indexed and searched under, or null for a word that says nothing. Plurals and common endings are one term. */
export function termOf(word: string): string | null {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if (plain === '' || STOP_WORDS.has(plain)) return null
  return stem(plain)
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
