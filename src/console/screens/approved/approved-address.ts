import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import type { ApprovedDraft } from '../../../contract/staff/content/approved-answers.ts'
import type { Topic } from '../../../contract/staff/questions.ts'
import { linesIn } from '../../format.ts'
import { encoded, linesOf, wordsOf } from '../topic-words.ts'

/** In place of an id, which never begins like this. */
export const NEW = '+'

export function approvedAddress(id: string): string {
  return `#/approved/${encodeURIComponent(id)}`
}

/** Address of the form for a new answer with the content of another one. */
export function copyAddress(id: string): string {
  return `#/approved/${NEW}/copy/${encodeURIComponent(id)}`
}

/** Address of the form for a new answer to the questions of a topic, by the words that the topic shows. */
export function topicAnswerAddress(topic: Pick<Topic, 'phrases' | 'words' | 'languages'>): string {
  return `#/approved/${NEW}/topic/${encoded(linesOf(wordsOf(topic)), topic.languages.join())}`
}

export function questionAnswerAddress(question: string): string {
  return `#/approved/${NEW}/question/${encoded(question)}`
}

/** Initial values of the form for a topic. */
export function topicStart(shown: string, languages: string): { words: string[]; draft: Partial<ApprovedDraft> } {
  const words = linesIn(shown)
  const known = PAGE_LANGUAGES.filter((language) => languages.split(',').includes(language))
  // The question's own words are kept as a wording, because staff often replace the question.
  return { words, draft: { question: words[0] ?? '', matches: words, ...(known.length > 0 && { languages: known }) } }
}
