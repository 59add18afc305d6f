import { MAX_TEST_QUERY_CHARACTERS, type SearchTestResult } from '../../../contract/staff/content/search-test.ts'
import type { Topic, TopicSearch } from '../../../contract/staff/questions.ts'

const MAX_PASSAGES = 8
const MAX_EXCERPT_CHARACTERS = 400

/** Query of a topic: only the words that it shows, which at least five visitors have in common. */
export function topicQuery({ phrases, words }: Pick<Topic, 'phrases' | 'words'>): string {
  const shown = [...phrases, ...words].map((word) => word.replace(/…$/, ''))
  return shown.join(' ').slice(0, MAX_TEST_QUERY_CHARACTERS).trim()
}

/** The nearest passages of a search for a topic, each shortened. */
export function topicSearch(query: string, result: SearchTestResult): TopicSearch {
  const passages = result.passages.slice(0, MAX_PASSAGES).map((passage) => ({ ...passage, text: excerptOf(passage.text) }))
  return { query, ...result, passages }
}

function excerptOf(text: string): string {
  if (text.length <= MAX_EXCERPT_CHARACTERS) return text
  // Not between the halves of a character.
  return `${text
    .slice(0, MAX_EXCERPT_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}
