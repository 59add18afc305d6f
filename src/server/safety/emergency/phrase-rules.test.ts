import { expect, test } from 'vitest'
import { EMERGENCY_KINDS, type PhraseRules } from './phrase-rules.ts'
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

/** The phrases of a rule, by group. An empty one finds nothing or everything. */
const phrasesOf = (rule: string) =>
  rule
    .replace(/^!/, '')
    .split(' + ')
    .map((group) => group.replace(/^not:/, '').split('|'))

/** The rules with a phrase of no letters. */
const brokenOf = (rules: readonly string[]) =>
  rules.filter((rule) =>
    phrasesOf(rule)
      .flat()
      .some((phrase) => !/[\p{L}\p{N}]/u.test(phrase)),
  )

test.each<[string, PhraseRules]>(Object.entries({ AR, DE, EN, ES, FR, HI, IT, JA, KO, PT, RU, ZH }))(
  'each rule for emergencies of the language %s names a phrase in each group',
  (_, rules) => {
    expect(EMERGENCY_KINDS.filter((kind) => rules[kind].length === 0)).toEqual([])
    expect(EMERGENCY_KINDS.flatMap((kind) => brokenOf(rules[kind]))).toEqual([])
  },
)
