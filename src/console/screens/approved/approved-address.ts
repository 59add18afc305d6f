import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import type { ApprovedDraft } from '../../../contract/staff/approved-answers.ts'
import type { Topic } from '../../../contract/staff/questions.ts'

/** In place of an id, which never begins like this. */
export const NEW = '+'

/** Address of the screen of an approved answer. */
export function approvedAddress(id: string): string {
  return `#/approved/${encodeURIComponent(id)}`
}

/** Address of the form for a new answer with the content of another one. */
export function copyAddress(id: string): string {
  return `#/approved/${NEW}/copy/${encodeURIComponent(id)}`
}

/** Address of the form for a new answer to the questions of a topic, by the words that the topic shows. */
export function topicAnswerAddress({ phrases, words, languages }: Pick<Topic, 'phrases' | 'words' | 'languages'>): string {
  const shown = [...phrases, ...words.map((word) => word.replace(/…$/, ''))]
  const parts = [shown.join('\n'), languages.join()]
  return `#/approved/${NEW}/topic/${parts.map(encodeURIComponent).join('/')}`
}

/** What the form for a topic starts with. */
export function topicStart(shown: string, languages: string): { words: string[]; draft: Partial<ApprovedDraft> } {
  const words = shown.split('\n').filter((word) => word !== '')
  const known = PAGE_LANGUAGES.filter((language) => languages.split(',').includes(language))
  // The question's own words are kept as a wording, because staff often replace the question.
  return { words, draft: { question: words[0] ?? '', matches: words, ...(known.length > 0 && { languages: known }) } }
}
