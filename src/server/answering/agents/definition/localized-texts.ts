import { z } from 'zod'
import { PAGE_LANGUAGES, type PageLanguage } from '../../../../contract/page-languages.ts'

/** A text that is not empty, without spaces around it. */
export const line = (maxCharacters: number) => z.string().trim().min(1).max(maxCharacters)

export const AgentTexts = z.strictObject({ name: line(40), greeting: line(300).nullish(), starters: z.array(line(200)).max(6).nullish() })

const LocalizedTexts = AgentTexts.extend({ name: line(40).nullish() }).nullish()
const BY_LANGUAGE = Object.fromEntries(PAGE_LANGUAGES.map((language) => [language, LocalizedTexts]))

/** An agent's texts by language. Missing texts fall back to those without a language. */
export type TextsByLanguage = Partial<Record<PageLanguage, { name?: string; greeting?: string; starters?: string[] }>>

/** Texts by language, in front matter. Empty keys count as missing. */
export const Languages = z
  .strictObject(BY_LANGUAGE as Record<PageLanguage, typeof LocalizedTexts>)
  .nullish()
  .transform((languages): TextsByLanguage => {
    const entries = Object.entries(languages ?? {}).map(([language, texts]) => {
      const { name, greeting, starters } = texts ?? {}
      return [language, { ...(name && { name }), ...(greeting && { greeting }), ...(starters?.length && { starters }) }] as const
    })
    return Object.fromEntries(entries)
  })

/** The texts in a language (a primary tag of BCP 47), with `fallback` for those that the file lacks. */
export function textsIn<T extends object>(texts: TextsByLanguage, language: string | undefined, fallback: T): T {
  const isKnown = (tag: string | undefined): tag is PageLanguage => PAGE_LANGUAGES.some((known) => known === tag)
  return { ...fallback, ...(isKnown(language) && texts[language]) }
}
