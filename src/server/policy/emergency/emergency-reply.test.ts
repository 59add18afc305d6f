import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import { COUNTRIES } from './emergency-numbers.ts'
import { emergencyReply } from './emergency-reply.ts'
import { EMERGENCY_KINDS } from './phrase-rules.ts'
import { LABELS, OPENINGS } from './reply-texts.ts'

test('names the European number and the local one where no country is known', () => {
  for (const countries of [[], ['XX']])
    expect(emergencyReply('violence', 'en', countries)).toMatch(
      /call the police now[^]*\*\*112\*\*\. Elsewhere call your local emergency number/,
    )
})

test('names the numbers of one country, the most useful first', () => {
  expect(emergencyReply('self_harm', 'fr', ['FR'])).toMatch(/Ligne d’écoute: \*\*3114\*\*\n- Urgences: \*\*112\*\*/)
  expect(emergencyReply('poisoning', 'de', ['CH'])).toMatch(/Notruf: \*\*112\*\*\n- Rettungsdienst: \*\*144\*\*\n- Giftnotruf: \*\*145\*\*/)
})

test('names the general number and that of the police to who is threatened', () => {
  expect(emergencyReply('violence', 'de', ['DE'])).toMatch(/\n\n- Notruf: \*\*112\*\*\n- Polizei: \*\*110\*\*$/)
})

test('names each of several countries in the language of the visitor', () => {
  const reply = emergencyReply('acute_illness', 'es', ['DE', 'GB', 'XX'])
  expect(reply).toMatch(/- Alemania: Emergencias: \*\*112\*\*\n- Reino Unido: Emergencias: \*\*999\*\*$/)
})

test('has every kind in every language, and says that an AI can’t call', () => {
  for (const language of PAGE_LANGUAGES)
    for (const kind of EMERGENCY_KINDS) expect(emergencyReply(kind, language, []), `${kind} ${language}`).toMatch(/112/)
})

test.each(PAGE_LANGUAGES)('the language "%s" has a text for each kind, and a name for each number', (language) => {
  for (const texts of Object.values(OPENINGS)) expect(texts[language]).toMatch(/^.{20}/u)
  const labels = Object.values(LABELS[language])
  expect(labels.every((label) => /^.{2}/u.test(label))).toBe(true)
  expect(new Set(labels).size).toBe(5)
})

test('each number has digits, and each country an official source', () => {
  for (const [country, { source, ...numbers }] of Object.entries(COUNTRIES)) {
    expect(source, country).toMatch(/^https:\/\//)
    for (const number of Object.values(numbers)) expect(number, country).toMatch(/^[+*]?\d[\d -]*$/)
  }
})
