import { foldWording } from '../../../text/fold-wording.ts'
import { termsOf, tokensOf } from '../index/analyzer.ts'
import type { Language } from '../index/grammars.ts'
import { fieldCountsOf, type KnowledgeIndex } from '../index/knowledge-index.ts'
import type { Passage } from '../ingestion/passages.ts'
import { SHIPPED_FILES } from '../shipped-files.ts'

export type IsOpen = (file: string) => boolean
type NumberedPassage = Passage & { id: number }

/** Longer headings are no prompts. */
const MAX_CHARACTERS = 200
/** Passages with all words of a heading that are compared with it. */
const MAX_COMPARED = 200
const MAX_LOOKED_AT = 2_000

/** Headings from the title down, as they are shown. */
export const breadcrumbOf = ({ title, path }: Pick<Passage, 'title' | 'path'>): string => [title, ...path].join(' \u203a ')

/** The passages whose heading a wording is, with or without the headings above it; none if too many have its words to tell. */
export function passagesHeaded(index: KnowledgeIndex, wording: string, isOpen: IsOpen): NumberedPassage[] {
  const folded = foldWording(wording)
  if (wording.length > MAX_CHARACTERS || folded === '') return []
  const numbers = [...new Set(index.languages.flatMap((language) => numbersIn(language, index, wording)))]
  if (numbers.length > MAX_COMPARED) return []
  return numbers.flatMap((id) => {
    const place = index.placesOf(id).find(({ file }) => isOpen(file))
    const passage = place && index.passage(id, place)
    return passage && [passage.heading, breadcrumbOf(passage)].some((one) => foldWording(one) === folded) ? [{ ...passage, id }] : []
  })
}

/** Passages with every word of a text, read in this language, in headings, title or file name; one more than can be compared at most. */
function numbersIn(language: Language, index: KnowledgeIndex, text: string): number[] {
  const terms = [...new Set(tokensOf(text).flatMap((token) => termsOf(token, [language])))]
  const [rarest] = terms.toSorted((one, other) => index.frequencyOf(one) - index.frequencyOf(other))
  const postings = rarest === undefined ? undefined : index.postingsOf(rarest)
  if (!postings) return []
  const isInHeading = (term: string, passage: number) => {
    const { heading, path, title } = fieldCountsOf(index.weightOf(term, passage) ?? 0)
    return heading + path + title > 0
  }
  const numbers: number[] = []
  for (let at = postings.start; at < postings.end && numbers.length <= MAX_COMPARED; at += 1) {
    const number = postings.passages[at] as number
    if (terms.every((term) => isInHeading(term, number))) numbers.push(number)
  }
  return numbers
}

/** A prompt that `passagesHeaded` answers with this passage, or another piece of its section; `null` if there is none. */
export function topicOf(index: KnowledgeIndex, passage: Passage, isOpen: IsOpen): string | null {
  const breadcrumb = breadcrumbOf(passage)
  const isOnly = (topic: string) => {
    const headed = passagesHeaded(index, topic, isOpen)
    return headed.length > 0 && headed.every((other) => other.file === passage.file && breadcrumbOf(other) === breadcrumb)
  }
  return [passage.heading, breadcrumb].find(isOnly) ?? null
}

/** Prompts that are answered: headings of one document after the other. Guessed headings (of a PDF), then those about the chat itself, appear only without others. */
export function topicsOf(index: KnowledgeIndex, limit: number, isOpen: IsOpen): string[] {
  const isOwn: IsOpen = (file) => isOpen(file) && !SHIPPED_FILES.includes(file)
  for (const isListed of [(file: string) => isOwn(file) && !file.toLowerCase().endsWith('.pdf'), isOwn, isOpen]) {
    const topics = topicsIn(index, limit, isOpen, isListed)
    if (topics.length > 0) return topics
  }
  return []
}

function topicsIn(index: KnowledgeIndex, limit: number, isOpen: IsOpen, isListed: IsOpen): string[] {
  const topics = new Set<string>()
  for (const passage of passagesInTurn(index, isListed)) {
    const topic = topicOf(index, passage, isOpen)
    if (topic === passage.heading) topics.add(topic)
    if (topics.size >= limit) break
  }
  return [...topics]
}

/** Passages with a heading of their own: the first of each document, then the second of each. */
function passagesInTurn(index: KnowledgeIndex, isOpen: IsOpen): Passage[] {
  let left = MAX_LOOKED_AT
  const byDocument = [...index.documents.values()].flatMap((document) => {
    const numbers = isOpen(document.file) ? document.passages.slice(0, left) : []
    left -= numbers.length
    const passages = numbers.flatMap((number) => index.passage(number, document) ?? []).filter(({ heading, title }) => heading !== title)
    return passages.length > 0 ? [passages] : []
  })
  const longest = Math.max(0, ...byDocument.map((passages) => passages.length))
  return Array.from({ length: longest }, (_, turn) => byDocument.flatMap((passages) => passages[turn] ?? [])).flat()
}
