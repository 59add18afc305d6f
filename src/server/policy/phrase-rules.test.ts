import { expect, test } from 'vitest'
import { EMERGENCY_KINDS, type PhraseRules } from './emergency/phrase-rules.ts'
import { AR } from './emergency/rules/ar.ts'
import { DE } from './emergency/rules/de.ts'
import { EN } from './emergency/rules/en.ts'
import { ES } from './emergency/rules/es.ts'
import { FR } from './emergency/rules/fr.ts'
import { HI } from './emergency/rules/hi.ts'
import { IT } from './emergency/rules/it.ts'
import { JA } from './emergency/rules/ja.ts'
import { KO } from './emergency/rules/ko.ts'
import { PT } from './emergency/rules/pt.ts'
import { RU } from './emergency/rules/ru.ts'
import { ZH } from './emergency/rules/zh.ts'
import { ATTACK_KINDS, type AttackRules } from './input-check/attack-rules.ts'
import { DE as DE_ATTACKS } from './input-check/rules/de.ts'
import { EN as EN_ATTACKS } from './input-check/rules/en.ts'
import * as OTHER_SCRIPTS from './input-check/rules/other-scripts.ts'
import * as ROMANCE from './input-check/rules/romance.ts'

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

test.each<[string, AttackRules]>(Object.entries({ DE: DE_ATTACKS, EN: EN_ATTACKS, ...OTHER_SCRIPTS, ...ROMANCE }))(
  'each rule for attacks of the language %s names a phrase in each group',
  (_, rules) => {
    expect(ATTACK_KINDS.flatMap((kind) => brokenOf(rules[kind] ?? []))).toEqual([])
  },
)
