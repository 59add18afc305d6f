import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { boundedCitation, type Citation } from '../../../contract/chat/citation.ts'
import { type SearchKnowledgeResult, sourceTitle } from '../../knowledge/retrieval/search.ts'
import { MAX_SUGGESTIONS } from './reply-metadata.ts'
import { calculationAnswer, conversionAnswer } from './computed-answers.ts'
import { dateAnswer, timeAnswer } from './date-answers.ts'
import type { Intent, Search } from './intent-types.ts'
import { GREETINGS } from './languages/greetings.ts'
import { languageOf } from './languages/languages.ts'
import { REPLIES } from './languages/replies.ts'
import { quote, shortened } from './quoted-passage.ts'
import { contentWordsOf } from './search-query.ts'

/** An answer of the built-in assistant. */
export interface Answer {
  text: string
  source?: { title: string; filename: string; citation: Citation }
  /** Suggested next prompts. */
  topics?: readonly string[]
  /** Where it is not an answer. */
  outcome?: 'clarified' | 'not_covered'
}

/** Facts that an answer may need besides the rules. */
export interface Surroundings {
  /** Prompts that the knowledge can answer. */
  starters: readonly string[]
  /** Names of the tools. */
  tools: readonly string[]
}

const MAX_LISTED = 3

/** The answer to an intent that needs no tool; undefined otherwise. */
export function directAnswer(intent: Intent, surroundings: Surroundings): Answer | undefined {
  const replies = REPLIES[intent.replyLanguage]
  switch (intent.kind) {
    case 'small-talk':
      return smallTalkAnswer(intent, surroundings)
    case 'ambiguous-date': {
      const readings = intent.readings.map((iso) => longDate(iso, replies.locale))
      return { text: replies.ambiguousDate(intent.text, readings), outcome: 'clarified' }
    }
    case 'ask-back':
      return { text: intent.about === 'which-number' ? replies.whichNumber : replies.nothingBefore, outcome: 'clarified' }
    case 'reaction':
      return reactionAnswer(intent, surroundings)
    default:
      return undefined
  }
}

/** The answer from a tool's result. */
export function answerFrom(intent: Intent, result: LanguageModelV4ToolResultPart, surroundings: Surroundings): Answer {
  const replies = REPLIES[intent.replyLanguage]
  const { output } = result
  if (output.type !== 'json') return { text: replies.toolFailed, outcome: 'not_covered' }
  const value: unknown = output.value
  switch (intent.kind) {
    case 'calculate':
      return { text: calculationAnswer(intent, value as Parameters<typeof calculationAnswer>[1], replies) }
    case 'convert':
      return { text: conversionAnswer(intent, value as Parameters<typeof conversionAnswer>[1], replies) }
    case 'time':
      return { text: timeAnswer(intent, value as Parameters<typeof timeAnswer>[1], replies) }
    case 'date':
      return { text: dateAnswer(intent, value as Parameters<typeof dateAnswer>[1], replies) }
    case 'search':
      return knowledgeAnswer(intent, value as SearchKnowledgeResult, surroundings)
    default:
      return moreAnswer(intent, value as SearchKnowledgeResult)
  }
}

/** Whether a search found a passage that answers its intent. */
export function hasFound({ refersTo, prompt }: Search, { passages }: SearchKnowledgeResult): boolean {
  const [best] = passages
  if (!best) return false
  return refersTo?.heading !== best.heading || saysMore(best.text, prompt)
}

/** A passage that was quoted already answers a further question only if it has a word of it, or a duration where one is asked for. */
function saysMore(text: string, prompt: string): boolean {
  const lower = text.toLowerCase()
  const named = contentWordsOf(prompt)
  if (named.length > 0) return named.some((word) => lower.includes(word.slice(0, Math.max(4, word.length - 2))))
  return (
    /how long|wie lange|combien de temps|cuanto tiempo|cu[aá]nto tiempo|until when|bis wann/i.test(prompt) &&
    /\d+ (?:day|hour|minute|week|month|year)/.test(lower)
  )
}

/** The rest of an answer that was interrupted after `said`; the whole answer if it would differ by now. */
export function restOf(answer: Answer, said: string, { thatWasAll }: { thatWasAll: string }): Answer {
  if (said === '') return answer
  if (!answer.text.startsWith(said)) return { ...answer, text: `\n\n${answer.text}` }
  const text = answer.text.slice(said.length)
  return { ...answer, text: text.trim() === '' ? `\n\n${thatWasAll}` : text }
}

/** Says that nothing answers the prompt, with the nearest questions or some examples. */
export function notCovered({ replyLanguage }: Pick<Intent, 'replyLanguage'>, near: readonly string[], { starters }: Surroundings): Answer {
  const { notCovered: sentence, didYouMean, canAsk } = REPLIES[replyLanguage]
  const offered = near.length > 0 ? near : starters
  const outcome = 'not_covered'
  if (offered.length === 0) return { text: sentence, outcome }
  return {
    outcome,
    text: `${sentence}\n\n${near.length > 0 ? didYouMean : canAsk}\n\n${list(offered.slice(0, MAX_LISTED))}`,
    topics: offered,
  }
}

function knowledgeAnswer(intent: Extract<Intent, Search>, result: SearchKnowledgeResult, surroundings: Surroundings): Answer {
  const { passages, topics } = result
  const best = passages[0]
  if (!best || !hasFound(intent, result)) return notCovered(intent, best ? passages.map(({ heading }) => heading) : topics, surroundings)
  const related = [...new Set(passages.map(({ heading }) => heading))].filter((heading) => heading !== best.heading)
  const { passageIsEnglish } = REPLIES[intent.replyLanguage]
  const lead = passageIsEnglish !== null && languageOf(best.text) === 'en' ? `${passageIsEnglish}\n\n` : ''
  return {
    text: `${lead}${quote(best)}`,
    source: { title: sourceTitle(best), filename: best.file, citation: boundedCitation({ ...best, quote: cutAtSentence(best.text) }) },
    ...(related.length > 0 && { topics: related.slice(0, MAX_SUGGESTIONS) }),
  }
}

const MAX_QUOTE_CHARACTERS = 1_000

function cutAtSentence(text: string): string {
  if (text.length <= MAX_QUOTE_CHARACTERS) return text
  const start = text.slice(0, MAX_QUOTE_CHARACTERS)
  const end = Math.max(start.lastIndexOf('. '), start.lastIndexOf('.\n'), start.lastIndexOf('? '), start.lastIndexOf('! '))
  return end > 0 ? start.slice(0, end + 1) : start
}

function smallTalkAnswer(intent: Extract<Intent, { kind: 'small-talk' }>, surroundings: Surroundings): Answer {
  const replies = REPLIES[intent.replyLanguage]
  const greeting = GREETINGS[intent.language ?? intent.replyLanguage]
  switch (intent.topic) {
    case 'hello':
    case 'thanks':
    case 'goodbye':
    case 'human':
      return { text: greeting[intent.topic].reply }
    case 'identity':
      return { text: greeting.human.reply }
    case 'abilities':
      return abilitiesAnswer(intent, surroundings)
    case 'empty':
      return surroundings.starters.length > 0 ? { text: replies.empty, topics: surroundings.starters } : { text: replies.empty }
    default:
      return { text: replies[intent.topic] }
  }
}

/** Answer that lists what the tools and the knowledge offer. */
function abilitiesAnswer({ replyLanguage }: Intent, { tools, starters }: Surroundings): Answer {
  const { abilities, ability, canAsk, cannot } = REPLIES[replyLanguage]
  const can = [
    ...(tools.includes('search_knowledge') ? [ability.knowledge] : []),
    ...(['calculator', 'date_time', 'convert_units'] as const).filter((name) => tools.includes(name)).map((name) => ability[name]),
  ]
  const questions = tools.includes('search_knowledge') && starters.length > 0 ? [canAsk, list(starters)] : []
  return { text: [abilities, list(can), ...questions, cannot].join('\n\n'), ...(starters.length > 0 && { topics: starters }) }
}

function reactionAnswer(
  { about, quoted, query, replyLanguage }: Extract<Intent, { kind: 'reaction' }>,
  surroundings: Surroundings,
): Answer | undefined {
  const replies = REPLIES[replyLanguage]
  if (about === 'more' && query !== null && quoted)
    return surroundings.tools.includes('search_knowledge') ? undefined : { text: replies.followUp.more }
  if (about === 'translate') return { text: replies.followUp.translate }
  if (quoted === null) return { text: about === 'shorten' || query === null ? replies.nothingBefore : replies.cannot }
  if (about !== 'shorten') return { text: replies.followUp[about] }
  const short = shortened(quoted)
  return { text: short ?? `${replies.alreadyShort}\n\n${quote(quoted)}` }
}

/** "Tell me more": what else was found. */
function moreAnswer(intent: Intent, { passages }: SearchKnowledgeResult): Answer {
  const replies = REPLIES[intent.replyLanguage]
  const quoted = intent.kind === 'reaction' ? intent.quoted : null
  const others = [...new Set(passages.map(({ heading }) => heading))].filter((heading) => heading !== quoted?.heading).slice(0, MAX_LISTED)
  if (others.length === 0) return { text: replies.followUp.more }
  return { text: `${replies.followUp.more} ${replies.canAsk}\n\n${list(others)}`, topics: others }
}

function longDate(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${iso}T00:00:00Z`),
  )
}

const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n')
