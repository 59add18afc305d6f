import type { Topic } from '../../contract/staff/questions.ts'

/** The words of a topic, without the sign of a beginning. */
export function wordsOf({ phrases, words }: Pick<Topic, 'phrases' | 'words'>): string[] {
  return [...phrases, ...words.map((word) => word.replace(/…$/, ''))]
}

export const linesOf = (words: readonly string[]): string => words.join('\n')

export const encoded = (...parts: string[]): string => parts.map(encodeURIComponent).join('/')
