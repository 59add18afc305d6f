import type { Topic } from '../../contract/staff/questions.ts'

type TopicWords = Pick<Topic, 'phrases' | 'words' | 'languages'>

/** In place of the id of an approved answer, which never begins like this. */
export const NEW = '+'

/** The words of a topic, without the sign of a beginning. */
export function wordsOf({ phrases, words }: Pick<Topic, 'phrases' | 'words'>): string[] {
  return [...phrases, ...words.map((word) => word.replace(/…$/, ''))]
}

/** The words that a topic shows, a line each, and its languages. */
const partsOf = (topic: TopicWords): string => [wordsOf(topic).join('\n'), topic.languages.join()].map(encodeURIComponent).join('/')

export const approvedAddress = (id: string): string => `#/approved/${encodeURIComponent(id)}`

/** Address of the form for a new answer with the content of another one. */
export const copyAddress = (id: string): string => `#/approved/${NEW}/copy/${encodeURIComponent(id)}`

/** Address of the form for a new answer to the questions of a topic. */
export const topicAnswerAddress = (topic: TopicWords): string => `#/approved/${NEW}/topic/${partsOf(topic)}`

export const questionAnswerAddress = (question: string): string => `#/approved/${NEW}/question/${encodeURIComponent(question)}`

export const documentAddress = (id: string): string => `#/knowledge/document/${id}`

export const questionDocumentAddress = (question: string): string => `#/knowledge/question/${encodeURIComponent(question)}`

/** Address of the form for a new document about a topic. */
export const topicDocumentAddress = (topic: TopicWords): string => `#/knowledge/new/${partsOf(topic)}`
