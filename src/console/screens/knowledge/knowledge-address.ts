import type { Topic } from '../../../contract/staff/questions.ts'
import { encoded, linesOf, wordsOf } from '../topic-words.ts'

export function documentAddress(id: string): string {
  return `#/knowledge/document/${id}`
}

export function questionDocumentAddress(question: string): string {
  return `#/knowledge/question/${encoded(question)}`
}

/** Address of the form for a new document; about a topic, by the words that it shows. */
export function newDocumentAddress(topic?: Pick<Topic, 'phrases' | 'words' | 'languages'>): string {
  return `#/knowledge/new${topic ? `/${encoded(linesOf(wordsOf(topic)), topic.languages.join())}` : ''}`
}
