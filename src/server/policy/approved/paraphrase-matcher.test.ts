import { beforeAll, describe, expect, test } from 'vitest'
import type { PageLanguage } from '../../../contract/page-languages.ts'
import { ParaphraseMatcher, type Paraphrases } from './paraphrase-matcher.ts'
import { QuestionReader } from './question-reader.ts'

const FEE: Paraphrases = {
  matches: ['How much is a fishing licence for a year?', 'What do I pay for a fishing licence?', 'price of the fishing licence'],
  mustNotMatch: ['How much is the fine for fishing without a licence?'],
}
const APPLY: Paraphrases = {
  matches: ['How do I apply for a fishing licence?', 'Where can I order the fishing licence?'],
  mustNotMatch: ['How do I renew a fishing licence?'],
}
const DISCOUNT: Paraphrases = { matches: ['Gibt es im Freibad einen Rabatt für Familien?', 'familienrabatt freibad'], mustNotMatch: [] }
const HELP: Paraphrases = { matches: ['Is there help with the costs of moving?', 'Can I get support for moving costs?'], mustNotMatch: [] }
const CLUB: Paraphrases = {
  matches: ['How much is the angling club?', 'What do I pay to join the angling club?'],
  mustNotMatch: ["What are the angling club's late fees?"],
}
const RESIDENT: Paraphrases = {
  matches: ['How much is a mooring permit for residents?', 'What do residents pay for a mooring permit?'],
  mustNotMatch: [],
}
const GARDEN: Paraphrases = { matches: ['When do you collect garden waste?'], mustNotMatch: [] }
const HALL: Paraphrases = { matches: ['When is the town hall open?', 'town hall opening hours'], mustNotMatch: [] }

let english: QuestionReader
let german: QuestionReader
beforeAll(async () => {
  english = await QuestionReader.open(['en'])
  german = await QuestionReader.open(['de'])
})
const matches = (reader: QuestionReader, paraphrases: Paraphrases, prompt: string) =>
  new ParaphraseMatcher(reader, paraphrases).score(reader.read(prompt)) > 0

describe('a question in other words matches', () => {
  test.each([
    [FEE, 'What does a fishing licence cost?'],
    [FEE, 'Hello, can you please tell me the fee for the fishing licence'],
    [FEE, 'how expensive is a fishing licence'],
    [APPLY, 'how can I request a fishing licence'],
    [APPLY, 'I would like to apply for a fishing licence. Where do I do that?'],
    [HELP, 'Does anybody get assistance with moving costs?'],
    [HELP, 'Is there a moving allowance in our city?'],
    [APPLY, 'Where can I get a fishing licence?'],
    [APPLY, 'Can I order a fishing license here?'],
    [CLUB, "What is the angling club's yearly fee?"],
    [FEE, 'What is the yearly fishing licence fee?'],
    [FEE, 'I live here, how much is the fishing licence?'],
    [RESIDENT, 'I live here, how much is a mooring permit?'],
    [HALL, 'Is the town hall open on Saturdays?'],
    [HALL, 'What time does the town hall close?'],
    [GARDEN, 'When is garden waste picked up?'],
  ])('%j: "%s"', (paraphrases, prompt) => expect(matches(english, paraphrases, prompt)).toBe(true))

  test.each([
    'Bekommen Familien im Freibad Ermäßigung?',
    'Freibad Familienrabatt',
    'Hat das Freibad eine Familienermäßigung?',
    'Gibt es im Freibad für Familien einen Nachlass?',
  ])('"%s"', (prompt) => expect(matches(german, DISCOUNT, prompt)).toBe(true))
})

describe('a question that asks something else does not match', () => {
  test.each([
    ['another subject', FEE, 'How much is a hunting licence?'],
    ['an unknown word', FEE, 'How much is a replacement fishing licence?'],
    ['less than is asked', FEE, 'How much is a licence?'],
    ['another number', FEE, 'How much is a fishing licence for 2 years?'],
    ['a number in words', FEE, 'What do I pay for a second fishing licence?'],
    ['a past year', FEE, 'How much was a fishing licence?'],
    ['a negation', FEE, 'What do I not pay for a fishing licence?'],
    ['whether', FEE, 'Do I have to pay for a fishing licence?'],
    ['how', FEE, 'How do I pay for a fishing licence?'],
    ['where', FEE, 'Where do I pay for the fishing licence?'],
    ['who', FEE, 'Who pays for the fishing licence?'],
    ['when', FEE, 'When do I pay for the fishing licence?'],
    ['a counter-paraphrase', FEE, 'How high is the fine for fishing without a licence?'],
    ['what it is', APPLY, 'What is a fishing licence?'],
    ['how many', APPLY, 'How many fishing licences can I order?'],
    ['for somebody else', APPLY, 'Can somebody else order a fishing licence?'],
    ['an amount', HELP, 'How much help is there with moving costs?'],
    ['without what most paraphrases say', RESIDENT, 'How much is a mooring permit?'],
    ['with what it only says of the visitor', RESIDENT, 'I live here, how do I get a mooring permit?'],
    ['by oneself', APPLY, 'How can I order a fishing licence myself?'],
    ['a yearly amount', HELP, 'What is the annual help with moving costs?'],
    ['an amount as a noun', HELP, 'What is the amount of help with moving costs?'],
    ['who is entitled', APPLY, 'Who can get a fishing licence?'],
    ['a day for another purpose', HALL, 'How do I get to the town hall on Saturdays?'],
    ['nothing', FEE, ''],
    ['no words', FEE, '👍'],
  ])('%s', (_, paraphrases, prompt) => expect(matches(english, paraphrases, prompt)).toBe(false))

  test('in German', () => {
    expect(matches(german, DISCOUNT, 'Gibt es im Freibad keinen Rabatt für Familien?')).toBe(false)
    expect(matches(german, DISCOUNT, 'Wie hoch ist im Freibad der Rabatt für Familien?')).toBe(false)
    expect(matches(german, DISCOUNT, 'Gibt es im Hallenbad einen Rabatt für Familien?')).toBe(false)
  })
})

test.each<[string, PageLanguage, boolean, string[], string]>([
  ['another verb', 'fr', true, ['Où demander une carte de stationnement ?'], 'Où réserver une carte de stationnement ?'],
  ['how long', 'es', true, ['¿Cuánto tiempo tarda el permiso de obras?'], '¿Cuál es el plazo del permiso de obras?'],
  ['for whom', 'de', true, ['Wer bekommt im Freibad einen Rabatt?'], 'Für wen gibt es im Freibad einen Rabatt?'],
  ['how to order instead of where', 'en', true, ['Where can I order the fishing licence?'], 'how can I request a fishing licence'],
  ['a price in other words', 'en', true, ['How much is a fishing licence?'], 'What would a fishing licence set me back?'],
  ['getting rid of something', 'en', true, ['How do I dispose of an old sofa?'], 'How can I throw out an old sofa?'],
  ['why', 'de', true, ['Warum ist das Rathaus am Montag geschlossen?'], 'Weshalb ist das Rathaus am Montag geschlossen?'],
  ['why instead of how', 'de', false, ['Wie ist das Rathaus am Montag erreichbar?'], 'Warum ist das Rathaus am Montag erreichbar?'],
  ['another verb of Spanish', 'es', true, ['¿Dónde solicitar el permiso de obras?'], '¿Dónde obtener el permiso de obras?'],
  ['a day that it starts', 'en', true, ['When does the summer course start?'], 'When is the summer course?'],
  ['a price that one gets', 'en', true, ['What is the discount for families?'], 'What discount can I get for families?'],
  ['an order that one gets', 'en', true, ['How do I book the town hall?'], 'Could I get a booking of the town hall?'],
  [
    'a compound whose parts two words say',
    'de',
    true,
    ['Pass verlängern', 'Wie lange dauert die Passverlängerung?'],
    'Wie lange dauert es, den Pass zu verlängern?',
  ],
  ['a compound of short words', 'de', true, ['Wie viel kostet der Pass für die Reise?'], 'Was kostet der Reisepass?'],
  [
    'without the number of its paraphrase',
    'es',
    false,
    ['¿Cuánto cuesta el permiso para dos perros?', '¿Qué precio tiene la licencia anual de caza menor?'],
    '¿Cuánto cuesta el permiso para perros?',
  ],
])('%s (%s) matches: %s', async (_, language, isMatch, paraphrases, prompt) => {
  expect(matches(await QuestionReader.open([language]), { matches: paraphrases, mustNotMatch: [] }, prompt)).toBe(isMatch)
})
