import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messagesOf, readPage, untranslatedTextsOf } from '../../../scripts/page-messages.mjs'
import { testCatalogs } from '../../../test/support/message-catalogs.ts'

const files = [join(import.meta.dirname, '../../web'), join(import.meta.dirname, '..')].flatMap(readPage)

testCatalogs({
  files,
  // The embed script has its own translations, because it is built apart; Leichte Sprache exists in German alone.
  apart: ['embed/panel.ts', 'features/chat/answer/leichte-sprache.ts'],
  said: messagesOf(files),
  folder: join(import.meta.dirname, 'messages'),
  unfinished: [],
})

test.each([
  ['a text', '<p>Hello there</p>'],
  ['a text of one word', '<button>Send</button>'],
  ['a label', '<nav aria-label="Chats" />'],
  ['a placeholder', '<input placeholder={isOpen ? "Write" : ""} />'],
  ['a hint of one word', '<Field hint="Optional" />'],
  ['a choice of texts', '<b>{isOpen ? "Close" : "Open"}</b>'],
  ['a text on a condition', '<b>{isOpen && "open"}</b>'],
  ['a text with a value', '<b title={`Delete ${name}`} />'],
  ['a sentence on its way', "const message = 'This did not work.'"],
  ['a sentence of a table', "const SENTENCES = { offline: 'You are offline. Try again.' }"],
  ['a word of a table', "const CLOSING = { action: 'Close', code: 'close' }"],
  ['a sentence that is returned', 'const of = (n) => { return `Only ${n} are left` }'],
])('finds %s, which cannot be translated', (_, text) => {
  expect(untranslatedTextsOf({ path: 'x.tsx', text })).not.toEqual([])
})

test.each([
  "<p className='page note'>{t('Hello there')} · {name}</p>",
  "<svg viewBox='0 0 20 20' role='img' aria-label={t('A picture')}><path d='M3 6h13' /></svg>",
  "console.error('The page could not start', new Error('Not so'))",
  "type Kind = 'Open it now' | 'Close it now'",
  "const FORMATS = [{ action: 'open', label: 'PNG' }]",
])('%s needs no translation', (text) => {
  expect(untranslatedTextsOf({ path: 'x.tsx', text })).toEqual([])
})

test('collects messages, and the singular of plurals', () => {
  const { messages, plurals } = messagesOf([
    { path: 'x.ts', text: "const TABLE = [defineMessage('In a table')]; t('Both')" },
    {
      path: 'y.tsx',
      text: "t('Both'); t.with('Some {things}', { things }); const a = <p>{t.plural(2, '{count} chat', '{count} chats')}</p>",
    },
  ])
  expect([...messages].sort()).toEqual(['Both', 'In a table', 'Some {things}', '{count} chats'])
  expect(plurals).toEqual(new Map([['{count} chats', '{count} chat']]))
})
