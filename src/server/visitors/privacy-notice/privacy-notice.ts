import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PrivacyNotice } from '../../../contract/config.ts'
import { type NoticeFacts, standardNotice } from './standard-notice.ts'

/** The notice of this installation, in each language that it is translated to. */
export interface PrivacyNotices {
  /** The same in each language, so that who changes the language is not asked again. */
  version: string
  /** In this language (a BCP 47 primary tag), or else as it was written. */
  in(language: string | undefined): PrivacyNotice
}

const WORDS = join(import.meta.dirname, 'words')

/** The operator's file as it is, or the standard notice with the facts of the live configuration. */
export async function loadPrivacyNotices(facts: NoticeFacts, file: string | null): Promise<PrivacyNotices> {
  const markdown = file ? await readFile(file, 'utf8') : noticeIn('en', facts, null)!
  const version = createHash('sha256').update(markdown).digest('hex').slice(0, 16)
  const original = { version, markdown, language: file ? null : 'en' }
  const wordsOf = new Map(file ? [] : await readWords())
  const translated = new Map<string, PrivacyNotice>()
  const translate = (language: string, words: Words): PrivacyNotice => {
    const translation = noticeIn(language, facts, words)
    return translation === null ? original : { version, markdown: translation, language }
  }
  return {
    version,
    in(language = 'en') {
      const words = wordsOf.get(language)
      if (!words) return original
      const notice = translated.get(language) ?? translate(language, words)
      translated.set(language, notice)
      return notice
    },
  }
}

/** Sentences by their English. */
type Words = Readonly<Record<string, string>>

/** The sentences of the standard notice by language, each by its English. */
export async function readWords(): Promise<[language: string, words: Words][]> {
  const files = await readdir(WORDS)
  return Promise.all(files.map(async (name) => [basename(name, '.json'), JSON.parse(await readFile(join(WORDS, name), 'utf8'))]))
}

/** Null if a sentence is not translated: the notice is read in one language, and says the same in each. */
function noticeIn(language: string, facts: NoticeFacts, words: Words | null): string | null {
  let isWhole = true
  const markdown = standardNotice(
    facts,
    (english, values = {}) => {
      const sentence = words ? words[english] : english
      isWhole &&= sentence !== undefined
      return (sentence ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    },
    language,
  )
  return isWhole ? markdown : null
}
