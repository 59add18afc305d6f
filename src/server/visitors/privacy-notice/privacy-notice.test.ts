import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { loadPrivacyNotices, readWords } from './privacy-notice.ts'
import { type NoticeFacts, standardNotice } from './standard-notice.ts'

const FACTS: NoticeFacts = {
  name: 'Parley',
  retentionDays: 30,
  contact: null,
  modelProvider: null,
  modelRunsHere: false,
  checkedBy: null,
  lookups: null,
  voiceInput: false,
  signIn: null,
}
const SIGN_IN = { issuer: 'https://login.example.org', scope: 'openid' }
const VARIANTS: NoticeFacts[] = [
  FACTS,
  { ...FACTS, retentionDays: 0, contact: 'privacy@example.org', modelRunsHere: true, signIn: SIGN_IN },
  {
    ...FACTS,
    modelProvider: 'models.example.org',
    checkedBy: 'checks.example.org',
    lookups: 'vectors.example.org',
    voiceInput: true,
    signIn: { ...SIGN_IN, scope: 'openid profile' },
  },
]
const TRANSLATIONS = await readWords()

/** All that the notice can say. */
const sentences = new Set<string>()
for (const facts of VARIANTS) {
  standardNotice(
    facts,
    (english) => {
      sentences.add(english)
      return english
    },
    'en',
  )
}
const wordOfPage = (language: string, english: string): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../web/language/words/${language}.json`), 'utf8'))[english]
const markedIn = (text: string) => [...text.matchAll(/\{\w+\}|\*\*/g)].map(([mark]) => mark).sort()

test.each(TRANSLATIONS)('%s says each sentence of the notice, with its facts and stresses', (_, words) => {
  expect(Object.keys(words).sort()).toEqual([...sentences].sort())
  for (const [english, translation] of Object.entries(words)) expect(markedIn(translation), english).toEqual(markedIn(english))
})

test.each(TRANSLATIONS)('%s is Markdown with every value, and calls the parts of the page by their names', async (language) => {
  for (const facts of [...VARIANTS, { ...FACTS, contact: 'https://example.org/contact/', modelProvider: '[::1]:8080' }]) {
    const { markdown } = (await loadPrivacyNotices(facts, null)).in(language)
    expect(await marked.parse(markdown)).not.toContain('**')
    for (const name of ['Privacy notice', 'My data']) expect(markdown).toContain(wordOfPage(language, name))
  }
})

test('is said with the facts of the installation, in the language that is asked for, and is the same notice', async () => {
  const notices = await loadPrivacyNotices(VARIANTS[1]!, null)
  const [english, german, none] = [notices.in(undefined), notices.in('de'), notices.in('tlh')]
  expect(english.markdown).toContain('A chat is deleted 1 hour after')
  expect(english.markdown).toContain('Write to **privacy@example.org**.')
  expect(german).toMatchObject({ language: 'de', version: english.version })
  expect(german.markdown).toContain('Ein Chat wird 1 Stunde nach')
  expect(german.markdown).toContain('**login.example.org** prüft')
  expect(german.markdown).not.toContain('{')
  expect(none).toEqual(english)
  expect((await loadPrivacyNotices(FACTS, null)).version).not.toBe(english.version)
})

test('a notice of the operator’s own is the same for all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notice-'))
  try {
    writeFileSync(join(folder, 'notice.md'), '# Hinweis')
    const notices = await loadPrivacyNotices(FACTS, join(folder, 'notice.md'))
    expect(notices.in('de')).toEqual({ version: notices.version, markdown: '# Hinweis', language: null })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
