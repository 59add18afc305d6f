import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PrivacyNotice } from '../../../contract/config.ts'
import { translateInto } from '../../translations/translations.ts'
import { type NoticeFacts, staffReadingText, standardNotice } from './standard-notice.ts'

export interface PrivacyNotices {
  /** The same in each language, so a change of language doesn't ask for consent again. */
  version: string
  /** The notice in a language (a primary BCP 47 tag), or the original if not translated. */
  in(language: string | undefined): PrivacyNotice
}

/** The operator's notice, which begins with what staff can read, or the standard one from the live configuration. */
export async function loadPrivacyNotices(facts: NoticeFacts, file: string | null): Promise<PrivacyNotices> {
  if (file) {
    const own = await readFile(file, 'utf8')
    const markdownIn = (wanted: string | undefined) =>
      facts.staffReading ? `${translateInto(wanted, (translate) => staffReadingText(translate)).text}\n\n${own}` : own
    const version = versionOf(markdownIn(undefined))
    return { version, in: (wanted) => ({ version, markdown: markdownIn(wanted), language: null }) }
  }
  const noticeIn = (wanted: string | undefined) =>
    translateInto(wanted, (translate, language) => standardNotice(facts, translate, language))
  const version = versionOf(noticeIn(undefined).text)
  return {
    version,
    in: (wanted) => {
      const { text, language } = noticeIn(wanted)
      return { version, markdown: text, language }
    },
  }
}

const versionOf = (markdown: string) => createHash('sha256').update(markdown).digest('hex').slice(0, 16)
