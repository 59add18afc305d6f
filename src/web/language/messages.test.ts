import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPage, messagesOf, untranslatedTextsOf } from '../../../scripts/page-messages.mjs'
import type { Translation, Translations } from './language.ts'
import { LANGUAGES } from './languages.ts'

const PAGE = join(import.meta.dirname, '..')
const files = readPage(PAGE)
const said = messagesOf(files)
const everything = new Set([...said.first, ...said.rest])
const OTHERS = LANGUAGES.filter((language) => language !== 'en')
/** Languages with missing messages, which the page shows in English. */
const UNFINISHED: readonly string[] = []

const wordsOf = (language: string): Translations => JSON.parse(readFileSync(join(import.meta.dirname, `messages/${language}.json`), 'utf8'))
const namesIn = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name))].sort()
/** A plural form for a single number may omit `{count}`. */
const formsOf = (translation: Translation) => (typeof translation === 'string' ? { other: translation } : translation)

test('no text of the page is hard-coded', () => {
  // The embed script has its own translations, because it is built apart; Leichte Sprache exists in German alone.
  const apart = ['embed/embed.ts', 'features/chat/answer/leichte-sprache.ts']
  const translated = files.filter(({ path }) => !apart.includes(path))
  const unsaid = Object.fromEntries(
    translated.map((file) => [file.path, untranslatedTextsOf(file)] as const).filter(([, words]) => words.length > 0),
  )
  expect(unsaid).toEqual({})
})

test.each(OTHERS.filter((language) => !UNFINISHED.includes(language)))('%s has all messages of the page, and no others', (language) => {
  const translated = Object.keys(wordsOf(language))
  expect([...everything].filter((english) => !translated.includes(english))).toEqual([])
  expect(translated.filter((english) => !everything.has(english))).toEqual([])
})

test.each(OTHERS)('%s has the values of each message, and the plural forms that it needs', (language) => {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  for (const [english, translation] of Object.entries(wordsOf(language))) {
    const forms = formsOf(translation)
    expect(Object.keys(forms).sort(), english).toEqual(said.plurals.has(english) ? [...categories].sort() : ['other'])
    expect(namesIn(forms.other ?? ''), english).toEqual(namesIn(english))
    for (const form of Object.values(forms)) expect(namesIn(english), english).toEqual(expect.arrayContaining(namesIn(form)))
    expect(Object.values(forms).join(''), english).toMatch(/\S/)
  }
})

test.each([
  ['a text', '<p>Hello there</p>'],
  ['a text of one word', '<button>Send</button>'],
  ['a label', '<nav aria-label="Chats" />'],
  ['a placeholder', '<input placeholder={isOpen ? "Write" : ""} />'],
  ['a choice of texts', '<b>{isOpen ? "Close" : "Open"}</b>'],
  ['a text on a condition', '<b>{isOpen && "open"}</b>'],
  ['a text with a value', '<b title={`Delete ${name}`} />'],
  ['a sentence on its way', "const message = 'This did not work.'"],
  ['a sentence of a table', "const SENTENCES = { offline: 'You are offline. Try again.' }"],
  ['a sentence that is returned', 'const of = (n) => { return `Only ${n} are left` }'],
])('finds %s, which cannot be translated', (_, text) => {
  expect(untranslatedTextsOf({ path: 'x.tsx', text })).not.toEqual([])
})

test.each([
  "<p className='page note'>{t('Hello there')} · {name}</p>",
  "<svg viewBox='0 0 20 20' role='img' aria-label={t('A picture')}><path d='M3 6h13' /></svg>",
  "console.error('The page could not start', new Error('Not so'))",
  "type Kind = 'Open it now' | 'Close it now'",
])('%s needs no translation', (text) => {
  expect(untranslatedTextsOf({ path: 'x.tsx', text })).toEqual([])
})

test('collects messages by when they are loaded', () => {
  const { first, rest, plurals } = messagesOf([
    { path: 'main.tsx', text: "import { x } from './ui/x.ts'\nimport type { y } from './ui/y.ts'\nimport('./later.tsx')\nt('Now')" },
    { path: 'ui/x.ts', text: "const TABLE = [defineMessage('In a table')]; t('Both')" },
    { path: 'ui/y.ts', text: "t('Both'); t.with('Some {things}', { things })" },
    { path: 'later.tsx', text: "const a = <p>{t.plural(2, '{count} chat', '{count} chats')}</p>" },
  ])
  expect([...first].sort()).toEqual(['Both', 'In a table', 'Now'])
  expect([...rest].sort()).toEqual(['Some {things}', '{count} chats'])
  expect(plurals).toEqual(new Map([['{count} chats', '{count} chat']]))
})
