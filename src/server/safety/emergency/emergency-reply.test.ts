import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import { emergencyReply } from './emergency-reply.ts'
import { EMERGENCY_KINDS } from './kinds.ts'

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

test('names the fire brigade first where something burns', () => {
  expect(emergencyReply('fire', 'ja', ['JP'])).toMatch(/\n\n- 消防: \*\*119\*\*\n- 緊急: \*\*110\*\*$/)
  expect(emergencyReply('fire', 'de', ['DE'])).toMatch(/\n\n- Notruf: \*\*112\*\*$/)
})

test('names each of several countries in the language of the visitor', () => {
  const reply = emergencyReply('acute_illness', 'es', ['DE', 'GB', 'XX'])
  expect(reply).toMatch(/- Alemania: Emergencias: \*\*112\*\*\n- Reino Unido: Emergencias: \*\*999\*\*$/)
})

test('has every kind in every language, and says that an AI can’t call', () => {
  for (const language of PAGE_LANGUAGES)
    for (const kind of EMERGENCY_KINDS) expect(emergencyReply(kind, language, []), `${kind} ${language}`).toMatch(/112/)
})
