import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../contract/page-languages.ts'
import { asksForPerson } from './asks-person.ts'

/** The page puts it into the message box of a visitor who chooses "Ask a person". */
const OF_THE_PAGE = 'I’d like to talk to a person.'

test.each(PAGE_LANGUAGES)('finds the request that the page offers in %s', (language) => {
  const messages = join(import.meta.dirname, `../../ui/language/messages/${language}.json`)
  const wording = language === 'en' ? OF_THE_PAGE : (JSON.parse(readFileSync(messages, 'utf8')) as Record<string, string>)[OF_THE_PAGE]
  expect(asksForPerson(wording ?? '', [language])).toBe(true)
})

test.each([
  'Agent',
  'HUMAN!!',
  'This is useless. Get me a real person',
  'Could I chat with a human please',
  'Please call me back',
  'I dont want to talk to a robot, i want a human',
  'Ich möchte nicht mit einem Roboter sprechen, sondern mit einem Menschen',
  'Kann ich einen Mitarbeiter sprechen?',
])('finds %j', (prompt) => {
  expect(asksForPerson(prompt, ['en', 'de'])).toBe(true)
})

test.each([
  'Are you a human?',
  'Do I need to speak to a representative to change my PIN?',
  'I do not want to talk to an agent',
  'How many people work at the town hall?',
  'Can I talk to my doctor about side effects?',
  'I want to become an estate agent',
  'What documents do I need for a passport? Can I talk to someone at the counter on Saturdays?',
  'My mother needs to talk to someone about grief',
  'Can someone call me a taxi?',
  'I cannot connect to the customer service portal',
  'Translate: I want to talk to a human',
  'Ich habe Angst, mit Menschen zu reden',
  'Ich möchte Menschen helfen',
])('leaves %j to be answered', (prompt) => {
  expect(asksForPerson(prompt, ['en', 'de'])).toBe(false)
})

test('finds a request in another language than the page', () => {
  expect(asksForPerson('Ich möchte bitte mit einem Mitarbeiter sprechen', ['en'])).toBe(true)
  expect(asksForPerson('Human please', ['de'])).toBe(true)
})

test('takes a long text for a matter of its own', () => {
  expect(asksForPerson(`I want to talk to a human. ${'My bin was not emptied. '.repeat(30)}`, ['en'])).toBe(false)
})

test('finds most requests of an author who did not know the phrases, and few others', () => {
  const sets = JSON.parse(readFileSync(join(import.meta.dirname, 'person-requests.json'), 'utf8')) as Record<
    string,
    { positive: string[]; negative: string[] }
  >
  const found = (kind: 'positive' | 'negative') =>
    Object.entries(sets).flatMap(([language, set]) => set[kind].filter((prompt) => asksForPerson(prompt, [language])))
  expect(found('positive').length).toBeGreaterThanOrEqual(178)
  expect(found('negative').length).toBeLessThanOrEqual(2)
})
