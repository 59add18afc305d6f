import { EMERGENCY_KINDS, type EmergencyKind, type PhraseRules } from './phrase-rules.ts'
import { AR } from './rules/ar.ts'
import { DE } from './rules/de.ts'
import { EN } from './rules/en.ts'
import { ES } from './rules/es.ts'
import { FR } from './rules/fr.ts'
import { HI } from './rules/hi.ts'
import { IT } from './rules/it.ts'
import { JA } from './rules/ja.ts'
import { KO } from './rules/ko.ts'
import { PT } from './rules/pt.ts'
import { RU } from './rules/ru.ts'
import { ZH } from './rules/zh.ts'
import { KnownWords, longWordsOf } from './normalize-text.ts'
import { AnywherePhraseGroups, type PhraseGroups, SentenceWords, WordPhraseGroups } from './phrase-groups.ts'

/** In which texts the rules of a language are looked for, and how. */
interface LanguageRules {
  rules: PhraseRules
  script: RegExp
  groups: PhraseGroups
}

const LATIN = /\p{Script=Latin}/u
const HAN = /\p{Script=Han}/u

/** Shared, so that a sentence is compared once with the phrases of all languages in Latin letters. */
const LATIN_GROUPS = new WordPhraseGroups()

const LANGUAGES: readonly LanguageRules[] = [
  ...[EN, DE, FR, ES, IT, PT].map((rules) => ({ rules, script: LATIN, groups: LATIN_GROUPS })),
  { rules: RU, script: /\p{Script=Cyrillic}/u, groups: new WordPhraseGroups() },
  { rules: AR, script: /\p{Script=Arabic}/u, groups: new AnywherePhraseGroups() },
  // Hindi is also written in Latin letters.
  { rules: HI, script: /\p{Script=Devanagari}|\p{Script=Latin}/u, groups: new AnywherePhraseGroups() },
  { rules: ZH, script: HAN, groups: new AnywherePhraseGroups() },
  { rules: JA, script: /\p{Script=Hiragana}|\p{Script=Katakana}/u, groups: new AnywherePhraseGroups() },
  { rules: KO, script: /\p{Script=Hangul}/u, groups: new AnywherePhraseGroups() },
]

interface PreparedRule {
  kind: EmergencyKind
  isStrong: boolean
  /** Numbers of the groups that must all occur. */
  groups: readonly number[]
}

interface PreparedRules {
  groups: PhraseGroups
  rules: readonly PreparedRule[]
  never: number
  unless: number
  misspelt: KnownWords
}

/** The kind of emergency that the phrases of a language find in a normalised sentence; `null` for none. */
export function phraseKindOf(sentence: string): EmergencyKind | null {
  const written = new SentenceWords(sentence)
  const longWords = longWordsOf(sentence)
  const foundAsWritten = new Map<PhraseGroups, ReadonlySet<number>>()
  // All languages are prepared before any looks, because some share their groups.
  const languages = LANGUAGES.filter(({ script }) => script.test(sentence)).map(prepared)
  for (const { rules, groups, never, unless, misspelt } of languages) {
    const repaired = misspelt.repair(sentence, longWords)
    const isAsWritten = repaired === sentence
    const found = (isAsWritten && foundAsWritten.get(groups)) || groups.foundIn(isAsWritten ? written : new SentenceWords(repaired))
    if (isAsWritten) foundAsWritten.set(groups, found)
    if (found.size === 0 || found.has(never)) continue
    const isElsewhere = found.has(unless)
    const rule = rules.find((one) => one.groups.every((group) => found.has(group)) && (one.isStrong || !isElsewhere))
    if (rule) return rule.kind
  }
  return null
}

const cache = new Map<LanguageRules, PreparedRules>()

/** Prepared with the first text in its script. */
function prepared(language: LanguageRules): PreparedRules {
  let made = cache.get(language)
  if (!made) cache.set(language, (made = prepare(language)))
  return made
}

function prepare({ rules, groups }: LanguageRules): PreparedRules {
  return {
    groups,
    rules: EMERGENCY_KINDS.flatMap((kind) =>
      rules[kind].map((rule) => ({
        kind,
        isStrong: rule.startsWith('!'),
        groups: rule
          .replace(/^!/, '')
          .split(' + ')
          .map((alternatives) => groups.add(alternatives)),
      })),
    ),
    never: groups.add(rules.never),
    unless: groups.add(rules.unless),
    misspelt: new KnownWords(rules.misspelt.split(' ').filter((word) => word !== '')),
  }
}
