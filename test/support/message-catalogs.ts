import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PageMessages, SourceText } from '../../scripts/page-messages.mjs'
import { untranslatedTextsOf } from '../../scripts/page-messages.mjs'
import type { Translation, Translations } from '../../src/ui/language/language.ts'
import { LANGUAGES } from '../../src/ui/language/languages.ts'

interface Catalogs {
  /** The sources with the texts. */
  files: readonly SourceText[]
  /** Paths of sources that have their texts apart. */
  apart: readonly string[]
  said: PageMessages
  /** Folder with one file for each language but English. */
  folder: string
  /** Languages with missing messages, which are shown in English. */
  unfinished: readonly string[]
}

const namesIn = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name))].sort()
/** A plural form for a single number may omit `{count}`. */
const formsOf = (translation: Translation) => (typeof translation === 'string' ? { other: translation } : translation)

/** Tests that every text is a message, and that every language has each message with its values and plural forms, and no others. */
export function testCatalogs({ files, apart, said, folder, unfinished }: Catalogs): void {
  const others = LANGUAGES.filter((language) => language !== 'en')
  const wordsOf = (language: string): Translations => JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))

  test('no text is hard-coded', () => {
    const translated = files.filter(({ path }) => !apart.includes(path))
    const unsaid = Object.fromEntries(
      translated.map((file) => [file.path, untranslatedTextsOf(file)] as const).filter(([, words]) => words.length > 0),
    )
    expect(unsaid).toEqual({})
  })

  test.each(others.filter((language) => !unfinished.includes(language)))('%s has all messages, and no others', (language) => {
    const translated = Object.keys(wordsOf(language))
    expect([...said.messages].filter((english) => !translated.includes(english))).toEqual([])
    expect(translated.filter((english) => !said.messages.has(english))).toEqual([])
  })

  test.each(others)('%s has the values of each message, and the plural forms that it needs', (language) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const [english, translation] of Object.entries(wordsOf(language))) {
      const forms = formsOf(translation)
      expect(Object.keys(forms).sort(), english).toEqual(said.plurals.has(english) ? [...categories].sort() : ['other'])
      expect(namesIn(forms.other ?? ''), english).toEqual(namesIn(english))
      for (const form of Object.values(forms)) expect(namesIn(english), english).toEqual(expect.arrayContaining(namesIn(form)))
      expect(Object.values(forms).join(''), english).toMatch(/\S/)
    }
  })
}
