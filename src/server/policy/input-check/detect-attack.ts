import { normalizeText } from '../emergency/normalize-text.ts'
import { ATTACK_KINDS, type AttackKind, type AttackRules } from './attack-rules.ts'
import { disguisedTexts } from './disguised-texts.ts'
import { imitatesSystem } from './fake-markup.ts'
import { FirstWords } from './first-words.ts'
import { anywherePattern, wordPattern } from './phrase-patterns.ts'
import { DE } from './rules/de.ts'
import { EN } from './rules/en.ts'
import { AR, HI, JA, KO, RU, ZH } from './rules/other-scripts.ts'
import { ES, FR, IT, PT } from './rules/romance.ts'

interface LanguageRules {
  rules: AttackRules
  script: RegExp
  pattern: (phrase: string) => string
  /** For scripts that separate words. */
  firstWords?: FirstWords
}

interface Group {
  pattern: RegExp
  /** Its number among the first words. */
  number: number | undefined
}

interface CompiledRules {
  firstWords: FirstWords | undefined
  rules: { kind: AttackKind; isStrong: boolean; groups: Group[]; excluded: RegExp[] }[]
  never: RegExp
}

const LATIN = /\p{Script=Latin}/u
/** Shared, so that the words of a sentence are looked up once for all languages in Latin letters. */
const LATIN_WORDS = new FirstWords()

const LANGUAGES: readonly LanguageRules[] = [
  ...[EN, DE, FR, ES, IT, PT].map((rules) => ({ rules, script: LATIN, pattern: wordPattern, firstWords: LATIN_WORDS })),
  { rules: RU, script: /\p{Script=Cyrillic}/u, pattern: wordPattern, firstWords: new FirstWords() },
  { rules: AR, script: /\p{Script=Arabic}/u, pattern: anywherePattern },
  { rules: HI, script: /\p{Script=Devanagari}/u, pattern: anywherePattern },
  { rules: ZH, script: /\p{Script=Han}/u, pattern: anywherePattern },
  { rules: JA, script: /\p{Script=Hiragana}|\p{Script=Katakana}/u, pattern: anywherePattern },
  { rules: KO, script: /\p{Script=Hangul}/u, pattern: anywherePattern },
]

const NOT = 'not:'

/** A long text is read at both ends. */
const MAX_READ_CHARACTERS = 4_000
const SENTENCE_END = /[.!?。！？؟।\n;]+/u
/** What is further apart doesn't belong together. */
const WINDOW_CHARACTERS = 240

/**
 * How a prompt tries to change or read the assistant's instructions; `null` if it doesn't. Compares with lists of phrases in twelve
 * languages, also in what it says decoded, in time that is linear in its length; reads the beginning and the end of a long one.
 */
export function detectAttack(text: string): AttackKind | null {
  const read = text.length <= 2 * MAX_READ_CHARACTERS ? text : `${text.slice(0, MAX_READ_CHARACTERS)}\n${text.slice(-MAX_READ_CHARACTERS)}`
  if (imitatesSystem(read)) return 'fake_system'
  return attackIn(read) ?? (disguisedTexts(read).some((disguised) => attackIn(disguised) !== null) ? 'encoded' : null)
}

function attackIn(text: string): AttackKind | null {
  const windows = normalizeText(text)
    .split(SENTENCE_END)
    .flatMap((sentence) => windowsOf(sentence.trim()))
  for (const window of windows) {
    const kind = kindOf(` ${window} `)
    if (kind) return kind
  }
  return null
}

/** A sentence in overlapping pieces, as far as it is long. */
function windowsOf(sentence: string): string[] {
  if (sentence.length <= WINDOW_CHARACTERS) return sentence === '' ? [] : [sentence]
  const count = Math.ceil(sentence.length / (WINDOW_CHARACTERS / 2)) - 1
  return Array.from({ length: count }, (_, index) => {
    const begin = index * (WINDOW_CHARACTERS / 2)
    return sentence.slice(begin, begin + WINDOW_CHARACTERS)
  })
}

function kindOf(padded: string): AttackKind | null {
  const words = padded.trim().split(' ')
  const possible = new Map<FirstWords, ReadonlySet<number>>()
  // All languages are compiled before any looks, because some share their first words.
  const languages = LANGUAGES.filter(({ script }) => script.test(padded)).map(compiled)
  for (const { rules, never, firstWords } of languages) {
    const numbers = firstWords && (possible.get(firstWords) ?? firstWords.possibleIn(words))
    if (firstWords && numbers) possible.set(firstWords, numbers)
    const found = rules.filter(
      ({ groups, excluded }) =>
        groups.every(({ number }) => number === undefined || numbers?.has(number)) &&
        groups.every(({ pattern }) => pattern.test(padded)) &&
        !excluded.some((pattern) => pattern.test(padded)),
    )
    if (found.length === 0) continue
    const isReported = never.test(padded)
    const rule = found.find(({ isStrong }) => isStrong || !isReported)
    if (rule) return rule.kind
  }
  return null
}

const cache = new Map<LanguageRules, CompiledRules>()

/** Compiled with the first text in its script. */
function compiled(language: LanguageRules): CompiledRules {
  let made = cache.get(language)
  if (!made) cache.set(language, (made = compile(language)))
  return made
}

function compile({ rules, pattern, firstWords }: LanguageRules): CompiledRules {
  const patternOf = (alternatives: string) => new RegExp(alternatives.split('|').map(pattern).join('|'), 'u')
  const groupOf = (alternatives: string) => ({ pattern: patternOf(alternatives), number: firstWords?.add(alternatives) })
  return {
    firstWords,
    rules: ATTACK_KINDS.flatMap((kind) =>
      (rules[kind] ?? []).map((rule) => {
        const groups = rule.replace(/^!/, '').split(' + ')
        return {
          kind,
          isStrong: rule.startsWith('!'),
          groups: groups.filter((group) => !group.startsWith(NOT)).map(groupOf),
          excluded: groups.filter((group) => group.startsWith(NOT)).map((group) => patternOf(group.slice(NOT.length))),
        }
      }),
    ),
    never: patternOf(rules.never),
  }
}
