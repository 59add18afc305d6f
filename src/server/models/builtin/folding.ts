import { fold, withoutAccents } from '../../../text/fold.ts'

/** Without accents, with plain apostrophes, hyphens and spaces. */
export function plainText(text: string): string {
  return withPlainMarks(withoutAccents(text))
}

/** The same in small letters. */
export function plainLower(text: string): string {
  return withPlainMarks(fold(text))
}

function withPlainMarks(text: string): string {
  return text
    .replace(/[\u2019\u2018`\u00b4]/g, "'")
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}
