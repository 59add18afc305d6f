import { describe, expect, test } from 'vitest'
import type { PageLanguage } from '../../../contract/page-languages.ts'
import type { ApprovedAnswer } from './approved-answer.ts'
import { nearestAnswer } from './nearest-answer.ts'

const FACTS = { owner: 'x', source: { title: 'x', url: null }, validFrom: '2026-01-01', validUntil: '2026-12-31', text: 'x' }
const answer = (wording: string, languages: PageLanguage[], mustNotMatch: string[] = []): ApprovedAnswer => ({
  ...FACTS,
  file: `approved/${wording}.md`,
  matches: [wording],
  languages,
  mustNotMatch,
})
const DOG_TAX = answer('How much is the dog tax?', ['en'], ['When do I pay the dog tax?'])
const given = (prompt: string, near: Record<string, number>, answers = [DOG_TAX]) => {
  const wordings = Object.entries(near).map(([wording, similarity]) => ({ wording, similarity }))
  return nearestAnswer(prompt, wordings, answers)?.matches[0] ?? null
}

describe('the nearest wording', () => {
  test('has its answer given if it is near enough', () => {
    expect(given('What does keeping a dog cost in taxes?', { 'How much is the dog tax?': 0.95 })).toBe('How much is the dog tax?')
    expect(given('What does keeping a dog cost in taxes?', { 'How much is the dog tax?': 0.9 })).toBeNull()
    expect(given('What does keeping a dog cost in taxes?', {})).toBeNull()
  })

  test('has none where a wording of another answer, or one that must not match, is about as near', () => {
    const other = answer('What is taxed at home?', ['en'], ['What does it cost to keep a dog?'])
    const near = (similarity: number, rival: string) =>
      given('What does keeping a dog cost in taxes?', { 'How much is the dog tax?': 0.95, [rival]: similarity }, [DOG_TAX, other])
    for (const rival of ['What is taxed at home?', 'When do I pay the dog tax?']) {
      expect([rival, near(0.94, rival)]).toEqual([rival, null])
      expect([rival, near(0.92, rival)]).toEqual([rival, 'How much is the dog tax?'])
    }
    expect(near(0.94, 'What does it cost to keep a dog?')).toBe('How much is the dog tax?')
  })
})

/** Pairs that a model takes for nearly the same. */
test.each<[what: string, language: PageLanguage, wording: string, prompt: string, isGiven: boolean]>([
  ['other numbers', 'en', 'Who pays the fee of 2025?', 'Do I have to pay a fee for 2026?', false],
  ['the same number', 'en', 'Who pays the fee of 2025?', 'Do I have to pay a fee for ٢٠٢٥?', true],
  ['a number that is part of a name', 'en', 'Should I be tested for COVID-19?', 'Is it necessary to test myself for corona?', true],
  ['a negation in one', 'en', 'Can I cancel my contract?', 'Is it true that I can’t cancel my contract?', false],
  ['a negation in one', 'de', 'Kann ich mit Karte zahlen?', 'Muss ich zahlen, wenn ich keine Karte habe?', false],
  ['a negation in one', 'ja', 'カードで支払えますか？', 'どうしてカードでは払えないのですか？', false],
  ['a negation in one', 'zh', '可以用银行卡付款吗？', '为什么我不能用卡付钱呢？', false],
  ['a negation in one', 'ru', 'Можно ли оплатить картой?', 'Почему я не могу платить картой?', false],
  ['a word of another language that is a negation in English', 'pt', 'Como pago no banco?', 'De que forma posso pagar numa agência?', true],
  ['another place', 'en', 'Do I need a visa for China?', 'What papers does a trip to Peru take?', false],
  ['a place in one', 'en', 'Do I need a visa?', 'Is a visa required in Peru?', false],
  ['an abbreviation of the same place', 'en', 'Is anybody infected in the United States?', 'Are there infected people in the US?', true],
  ['another word in one place', 'en', 'How much is the dog tax?', 'How much is the cat tax?', false],
  ['another word in one place', 'de', 'Wie hoch ist die Hundesteuer?', 'Wie hoch ist die Grundsteuer?', false],
  ['a place more', 'de', 'Wie hoch ist die Hundesteuer?', 'Wie hoch ist die Hundesteuer in Hamburg?', false],
  ['another question word', 'en', 'Where can I renew my passport?', 'When can I renew my passport?', false],
  ['another word in one place', 'zh', '狗税多少钱？', '猫税多少钱？', false],
  ['a greeting', 'en', 'How much is the dog tax?', 'Hello, how much is the dog tax?', true],
  [
    'nouns of German, which are no names',
    'de',
    'Was tut die Bundesregierung gegen Corona?',
    'Wie geht denn der Staat gegen Corona vor?',
    true,
  ],
  ['much less', 'en', 'How much is the dog tax?', 'dog tax', false],
  ['another language', 'en', 'How much is the dog tax?', 'Wie hoch ist denn die Steuer für meinen Hund?', false],
])('%s (%s): “%s”, “%s”', (_, language, wording, prompt, isGiven) => {
  expect(given(prompt, { [wording]: 0.97 }, [answer(wording, [language])])).toBe(isGiven ? wording : null)
})
