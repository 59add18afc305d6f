import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import * as BUILTIN from '../models/builtin/wordings.ts'
import * as FIXED from '../replies/fixed-sentences.ts'
import { reportSentences, type ReportContext } from '../visitors/data-report.ts'
import { type NoticeFacts, standardNotice } from '../visitors/privacy-notice/standard-notice.ts'
import { type Translate, translateInto, TRANSLATIONS } from './translations.ts'

const NOTICE: NoticeFacts = {
  name: 'Parley',
  retentionDays: 30,
  reportDays: 30,
  staffReading: false,
  frameChats: 'visit',
  isEmbedded: true,
  takesMessages: true,
  contact: null,
  modelProvider: null,
  modelRunsHere: false,
  checkedBy: null,
  lookups: null,
  voiceInput: false,
}
const NOTICES: NoticeFacts[] = [
  NOTICE,
  { ...NOTICE, retentionDays: 0, contact: 'https://example.org/contact/', modelRunsHere: true },
  {
    ...NOTICE,
    modelProvider: '[::1]:8080',
    checkedBy: 'checks.example.org',
    lookups: 'vectors.example.org',
    voiceInput: true,
    staffReading: true,
  },
]
const REPORT: ReportContext = {
  storage: 'sqlite',
  retentionDays: 30,
  model: { label: 'a model', provider: null },
  contact: null,
  logLevel: 'info',
  checkedBy: null,
  redis: false,
  lookups: null,
  staffReading: false,
  isShared: false,
  cookies: { visitor: 'visitor', consent: 'privacy-consent' },
}
const REPORTS: ReportContext[] = [
  REPORT,
  {
    ...REPORT,
    storage: 'postgres',
    model: { label: 'a model', provider: 'models.example.org' },
    checkedBy: 'checks.example.org',
    redis: true,
    lookups: 'vectors.example.org',
    staffReading: true,
    isShared: true,
  },
]

const sentences = new Set<string>()
const listen: Translate = (english) => {
  sentences.add(english)
  return english
}
for (const facts of NOTICES) standardNotice(facts, listen, 'en')
for (const facts of REPORTS) reportSentences(facts, listen, 'en')
const own = Object.values(BUILTIN).filter((value) => typeof value === 'string')
for (const english of [...Object.values(BUILTIN.REPLIES), ...own, ...Object.values(FIXED)]) listen(english)

const markedIn = (text: string) => [...text.matchAll(/\{\w+\}|\*\*/g)].map(([mark]) => mark).sort()
const wordOfPage = (language: string, english: string): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../ui/language/messages/${language}.json`), 'utf8'))[english]

test.each([...TRANSLATIONS])('%s has each sentence, with its values and emphasis', (_, words) => {
  expect(Object.keys(words).sort()).toEqual([...sentences].sort())
  for (const [english, translation] of Object.entries(words)) expect(markedIn(translation), english).toEqual(markedIn(english))
})

test.each([...TRANSLATIONS.keys()])('%s is Markdown with every value, and uses the page’s labels for its parts', async (wanted) => {
  for (const facts of NOTICES) {
    const { text, language } = translateInto(wanted, (translate, used) => standardNotice(facts, translate, used))
    expect(language).toBe(wanted)
    expect(await marked.parse(text)).not.toContain('**')
    for (const name of ['Privacy notice', 'My data']) expect(text).toContain(wordOfPage(language, name))
  }
})

test('uses English throughout if a sentence or everything is missing', () => {
  const compose = (...said: string[]) =>
    translateInto('de', (translate, language) => [...said.map((english) => translate(english, { name: 'Ada' })), language])
  expect(compose('Contact')).toEqual({ text: ['Kontakt', 'de'], language: 'de' })
  expect(compose('Contact', 'Goodbye, {name}')).toEqual({ text: ['Contact', 'Goodbye, Ada', 'en'], language: 'en' })
  expect(translateInto('tlh', (translate) => translate('Contact'))).toEqual({ text: 'Contact', language: 'en' })
  expect(translateInto(undefined, (translate) => translate('Contact'))).toEqual({ text: 'Contact', language: 'en' })
})

test('a value that is missing leaves nothing in its place', () => {
  expect(translateInto(undefined, (translate) => translate('Hello, {name}.', {})).text).toBe('Hello, .')
})
