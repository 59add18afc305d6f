import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { boundedCitation, type Citation } from '../../../contract/chat/citation.ts'
import type { PageLanguage } from '../../../contract/page-languages.ts'
import { foldWording } from '../../../text/fold-wording.ts'
import { trimmedAtSentence } from '../../../text/sentences.ts'
import { type SearchKnowledgeResult, sourceTitle } from '../../knowledge/retrieval/search.ts'
import { translated } from '../../translations/translations.ts'
import { calculationIn, calculationText } from './calculation.ts'
import { isContinueMessage } from './continuation.ts'
import { quotationFrom } from './quotation.ts'
import { type InformativeWords, informativeWords, isHeadingOf, judgeSearches } from './relevance.ts'
import { MAX_SUGGESTIONS } from './reply-metadata.ts'
import { smallTalkIn } from './small-talk.ts'
import { FAILED, FOUND, NOT_CALCULATED, NOT_FOUND, NOTHING_MORE, REPLIES } from './wordings.ts'

export interface Answer {
  text: string
  source?: { title: string; filename: string; citation: Citation }
  /** Suggested next prompts, each of which is answered. */
  topics?: readonly string[]
  outcome?: 'not_covered'
}

export interface ToolCall {
  toolName: 'search_knowledge' | 'calculator'
  input: Record<string, string>
}

export type Step = { kind: 'call'; calls: ToolCall[] } | { kind: 'say'; answer: Answer }

/** Facts about the agent, besides the conversation. */
export interface Surroundings {
  /** Prompts that the knowledge answers. */
  starters: readonly string[]
  /** Starter prompts of the agent's file. */
  ownStarters: readonly string[]
  languageOf: (text: string) => PageLanguage | null
}

interface Conversation {
  prompt: string
  /** The visitor's messages before it, newest first. */
  earlier: string[]
  /** Results of the tools called for this answer; `null` for a call that failed. */
  results: (SearchKnowledgeResult | CalculatorResult | null)[]
  /** The beginning of an interrupted answer to the prompt. */
  said: string
}

type CalculatorResult = { result: number } | { error: string }

const MAX_QUERY_CHARACTERS = 500
const MAX_QUOTE_CHARACTERS = 1_000
/** A passage that has either is near enough for its topic to be suggested. */
const NEAR = { relevance: 0.36, closeness: 0.05 }

/** Decides the next step. A pure function of conversation, tools and surroundings. */
export async function nextStep(
  { prompt: messages, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>,
  around: Surroundings,
): Promise<Step> {
  const conversation = readConversation(messages)
  const { prompt, earlier, results, said } = conversation
  const smallTalk = around.starters.includes(prompt) ? undefined : smallTalkIn(prompt)
  const language = smallTalk?.language ?? languageIn([prompt, ...earlier], around)
  const t = (english: string) => translated(english, language)
  const say = (answer: Answer): Step => ({ kind: 'say', answer: restOf(answer, said, t(NOTHING_MORE)) })
  if (smallTalk) return say({ text: t(REPLIES[smallTalk.kind]), ...offering(smallTalk.kind === 'abilities' ? around.starters : []) })
  const names = new Set<string>(tools.map(({ name }) => name))
  const calculation = names.has('calculator') && !around.starters.includes(prompt) ? calculationIn(prompt, language) : undefined
  if (results.length === 0) {
    if (calculation) return { kind: 'call', calls: [{ toolName: 'calculator', input: { expression: calculation.expression } }] }
    if (!names.has('search_knowledge') || !/[\p{L}\p{N}]/u.test(prompt)) return say(notFound([], around, t(NOT_FOUND)))
    return { kind: 'call', calls: queriesOf(conversation, around).map((query) => ({ toolName: 'search_knowledge', input: { query } })) }
  }
  if (results.some((result) => result === null)) return say({ text: t(FAILED), outcome: 'not_covered' })
  if (calculation) {
    const result = results[0] as CalculatorResult
    return say({ text: 'result' in result ? calculationText(calculation, result.result) : `${t(NOT_CALCULATED)} ${result.error}` })
  }
  const searches = results as [SearchKnowledgeResult, SearchKnowledgeResult?]
  const isSearched = (text: string) => !smallTalkIn(text) && !calculationIn(text, languageIn([text, prompt, ...earlier], around))
  return say(knowledgeAnswer(prompt, searches, around, { t, informative: await informativeWords(language), isSearched }))
}

/** Reads a conversation whose last message of the visitor awaits its answer. */
function readConversation(messages: LanguageModelV4Prompt): Conversation {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const continued = messages[last]
  const isContinued = continued !== undefined && isContinueMessage(continued)
  const asked = isContinued ? messages.slice(0, last) : messages
  const after = asked.slice(asked.findLastIndex(({ role }) => role === 'user') + 1)
  const answered = after.flatMap(({ content }) => (typeof content === 'string' ? [] : textsOf(content)))
  const prompts = asked.flatMap((message) => (message.role === 'user' ? (textsOf(message.content).at(-1) ?? '') : []))
  const results = messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? message.content : []))
  return {
    prompt: prompts.at(-1) ?? '',
    earlier: prompts.slice(0, -1).toReversed(),
    results: results.flatMap((part) => {
      if (part.type !== 'tool-result') return []
      return [part.output.type === 'json' ? (part.output.value as unknown as SearchKnowledgeResult | CalculatorResult) : null]
    }),
    said: isContinued ? answered.join('') : '',
  }
}

function textsOf(content: readonly { type: string; text?: string }[]): string[] {
  return content.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []))
}

/** The prompt, and for what may be a follow-up the prompt before it together with it. */
function queriesOf({ prompt, earlier }: Conversation, around: Surroundings): string[] {
  const query = cut(prompt)
  const before = earlier.find((text) => !smallTalkIn(text) && !calculationIn(text, 'en'))
  return isOffered(prompt, around) || before === undefined ? [query] : [query, cut(`${before} ${prompt}`)]
}

const isOffered = (prompt: string, { starters, ownStarters }: Surroundings) =>
  [...starters, ...ownStarters].some((starter) => foldWording(starter) === foldWording(prompt))

const cut = (query: string) => query.slice(-MAX_QUERY_CHARACTERS).toWellFormed()

interface Reading {
  t: (english: string) => string
  informative: InformativeWords
  isSearched: (prompt: string) => boolean
}

function knowledgeAnswer(
  prompt: string,
  searches: readonly [SearchKnowledgeResult, SearchKnowledgeResult?],
  around: Surroundings,
  { t, informative, isSearched }: Reading,
): Answer {
  const judged = judgeSearches(prompt, searches, informative)
  // An operator offers only prompts that the documents answer.
  const answer = judged.answer ?? (isOffered(prompt, around) ? judged.others[0] : undefined)
  const near = judged.others.filter(({ relevance, closeness }) => relevance >= NEAR.relevance || (closeness ?? 0) >= NEAR.closeness)
  const asked = near.flatMap(({ topic }) => (topic && isSearched(topic) && !(answer && isHeadingOf(answer, topic)) ? topic : []))
  const topics = [...new Set(asked)].slice(0, MAX_SUGGESTIONS)
  if (!answer) return notFound(topics, around, t(NOT_FOUND))
  const said = quotationFrom(answer, informative(answer.matches)).text
  // What is said stands in the passage that is shown with it.
  const at = Math.max(0, answer.text.indexOf(said.slice(0, 40)))
  const passage = at + said.length > MAX_QUOTE_CHARACTERS ? answer.text.slice(at) : answer.text
  const citation = boundedCitation({ ...answer, quote: trimmedAtSentence(passage, MAX_QUOTE_CHARACTERS) })
  return {
    text: `${t(FOUND)}\n\n**${answer.heading}**\n\n${said}`,
    source: { title: sourceTitle(answer), filename: answer.file, citation },
    ...offering(topics),
  }
}

const notFound = (near: readonly string[], { starters }: Surroundings, text: string): Answer => ({
  text,
  outcome: 'not_covered',
  ...offering(near.length > 0 ? near : starters),
})

const offering = (topics: readonly string[]) => topics.length > 0 && { topics }

function languageIn(texts: readonly string[], { languageOf }: Surroundings): PageLanguage {
  for (const text of texts) {
    const language = languageOf(text)
    if (language) return language
  }
  return 'en'
}

/** The rest of an answer that was interrupted after `said`; the whole answer if it would differ by now. */
function restOf(answer: Answer, said: string, nothingMore: string): Answer {
  if (said === '') return answer
  if (!answer.text.startsWith(said)) return { ...answer, text: `\n\n${answer.text}` }
  const text = answer.text.slice(said.length)
  return { ...answer, text: text.trim() === '' ? `\n\n${nothingMore}` : text }
}
