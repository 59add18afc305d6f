import type { Before, Intent, Request, Search } from './intent-types.ts'
import type { Exchange } from './conversation.ts'
import { plainText } from './folding.ts'
import { followUpOf } from './follow-ups.ts'
import type { ReplyLanguage } from './languages/language-rules.ts'
import { languageOf, rulesFrom } from './languages/languages.ts'
import { trimmedBy } from './patterns.ts'
import { ruleIntent } from './rule-intent.ts'
import { contentWordsOf, searchQueriesOf } from './search-query.ts'
import { type SmallTalk, smallTalkOf } from './small-talk.ts'

/** Rules look at short prompts only: a calculation or a greeting is never a page long. */
const MAX_RULE_CHARACTERS = 250
const MAX_SENTENCES = 5

/** Reads by rules what a prompt asks for; the exchanges before it, oldest first, complete a follow-up. */
export async function intentOf(prompt: string, earlier: readonly Exchange[] = []): Promise<Intent> {
  let before: Before | undefined
  for (const exchange of earlier) {
    const intent = await readIntent(exchange.prompt, before)
    if (isRequest(intent)) before = { request: intent, answer: exchange.answer, language: intent.replyLanguage }
  }
  return readIntent(prompt, before)
}

function isRequest(intent: Intent): intent is Request & { replyLanguage: ReplyLanguage } {
  return !['small-talk', 'reaction', 'ask-back'].includes(intent.kind)
}

async function readIntent(prompt: string, before: Before | undefined): Promise<Intent> {
  const detected = languageOf(prompt)
  const replyLanguage = detected ?? before?.language ?? 'en'
  const search: Search = { kind: 'search', queries: searchQueriesOf(prompt), refersTo: null, prompt }
  if (prompt.length > MAX_RULE_CHARACTERS) return { ...search, replyLanguage }
  const smallTalk = smallTalkOf(prompt)
  if (smallTalk) return { ...smallTalk, replyLanguage: replyLanguageOf(smallTalk) ?? replyLanguage }
  const request = plainRequest(prompt, detected)
  const language = detected ?? before?.language
  const found =
    (await followUpOf(request, prompt, before, language)) ??
    (await ruleIntent(request, language)) ??
    (await sentenceIntent(request, language))
  if (!found && isVague(prompt)) return { kind: 'ask-back', about: 'nothing-before', replyLanguage }
  const wordsIn = found?.kind === 'calculate' ? found.wordsIn : undefined
  return { ...(found ?? search), replyLanguage: detected ?? wordsIn ?? replyLanguage }
}

const MAX_VAGUE_WORDS = 3

/** Whether a prompt such as "again" or "how long?" names nothing that could be searched for. */
function isVague(prompt: string): boolean {
  return prompt.trim().split(/\s+/).length <= MAX_VAGUE_WORDS && /\p{L}/u.test(prompt) && contentWordsOf(prompt).length === 0
}

function replyLanguageOf({ language }: SmallTalk): ReplyLanguage | undefined {
  return language === 'en' || language === 'de' || language === 'fr' || language === 'es' ? language : undefined
}

/** The request without greeting, politeness and marks at its ends, without accents. */
function plainRequest(prompt: string, language: ReplyLanguage | undefined): string {
  let request = plainText(prompt)
  for (const { openings, closings } of rulesFrom(language)) {
    const shorter = trimmedBy(request, openings, closings)
    if (shorter !== '') request = shorter
  }
  return request
}

/** Finds the last of several sentences that asks for something by rule: "lol can you do math? 17*23". */
async function sentenceIntent(request: string, language: ReplyLanguage | undefined): Promise<Request | undefined> {
  const sentences = request.split(/(?:[.?!;:]\s+|\s[–—-]\s|\n)/).map((sentence) => sentence.trim())
  if (sentences.length < 2 || sentences.length > MAX_SENTENCES) return undefined
  for (const sentence of sentences.toReversed()) {
    const found = sentence === '' ? undefined : await ruleIntent(plainRequest(sentence, language), language)
    if (found) return found
  }
  return undefined
}
