import type { FixedReplyKind } from '../../contract/message.ts'
import type { AnswerState } from '../../contract/answer-state.ts'
import type { PageLanguage } from '../../contract/page-languages.ts'
import type { ApprovedAnswer, ApprovedSource } from './approved/approved-answer.ts'
import { ContentWordReader } from './content-words.ts'
import { detectEmergency } from './emergency/detect-emergency.ts'
import { ExampleMatcher, readPrompt } from './example-matcher.ts'
import { CONTACT_SENTENCE, NOT_FOR_THIS, OTHER_LANGUAGE } from './fixed-sentences.ts'
import { type LocalizedReply, type PolicyDefinition, replyIn } from './policy.ts'
import { promptLanguage } from './prompt-language.ts'
import { SHIPPED_ROUTES } from './shipped-routes.ts'

/** A reply that is not written by a model. */
export interface FixedReply {
  kind: FixedReplyKind
  /** Markdown. */
  text: string
  state: Extract<AnswerState, 'answered' | 'referred' | 'out_of_scope' | 'blocked_input' | 'suspended'>
  /** Of an approved answer. */
  approved?: { source: ApprovedSource; file: string; approvedOn: string }
}

/** Finds the approved answer to exactly this question; `null` if there is none. `excluded`: files that may not be used. */
export interface ApprovedAnswerSource {
  answerTo(prompt: string, excluded: readonly string[]): Pick<ApprovedAnswer, 'file' | 'text' | 'source' | 'validFrom'> | null
}

interface MatchableRoute {
  matcher: ExampleMatcher
  state: FixedReply['state']
  reply: LocalizedReply
  /** Whether the operator's contact follows the reply. */
  namesContact: boolean
}

interface MatchableRoutes {
  /** `null` without routes. */
  reader: ContentWordReader | null
  routes: MatchableRoute[]
}

const SHIPPED = new Set(SHIPPED_ROUTES)

/** Decides which prompts an agent's policy answers with a fixed reply. */
export class AgentPolicy {
  readonly definition: PolicyDefinition
  readonly #contact: string | null
  readonly #approved: ApprovedAnswerSource | null
  #routes: Promise<MatchableRoutes> | undefined

  /** @param contact The operator's contact, which the shipped replies name; `null` for none. */
  constructor(definition: PolicyDefinition, contact: string | null, approved: ApprovedAnswerSource | null = null) {
    this.definition = definition
    this.#contact = contact
    this.#approved = approved
  }

  /** Whether a prompt is an emergency, whose reply precedes everything that could reject it. */
  isEmergency(prompt: string): boolean {
    return detectEmergency(prompt) !== null
  }

  /** The approved answer to exactly this question; `null` for none. `excluded`: files that may not be used. */
  approvedReply(prompt: string, excluded: readonly string[]): FixedReply | null {
    const answer = this.#approved?.answerTo(prompt, excluded)
    if (!answer) return null
    const { text, source, file, validFrom } = answer
    return { kind: 'approved', text, state: 'answered', approved: { source, file, approvedOn: validFrom } }
  }

  /** The reply of the route that a prompt matches best; `null` if it matches none. */
  async routeReply(prompt: string): Promise<FixedReply | null> {
    // Loaded with the first prompt: stemmers take memory that an idle server doesn't need.
    this.#routes ??= matchableRoutes(this.definition)
    const { reader, routes } = await this.#routes
    const read = reader ? readPrompt(reader, prompt) : []
    const [best] = routes
      .map((route) => ({ route, score: route.matcher.score(read) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
    if (best) return this.#fixedReply(best.route, promptLanguage(prompt))
    return this.definition.languages ? this.#otherLanguageReply(promptLanguage(prompt)) : null
  }

  /** The reply of a route; `null` for an unknown one. */
  replyOf(id: string, language: PageLanguage | null): FixedReply | null {
    const route = this.definition.routes.find((one) => one.id === id)
    return route ? this.#fixedReply({ ...route, namesContact: SHIPPED.has(route) }, language) : null
  }

  /** The reply to a prompt that is not this assistant's business. */
  notForThisReply(language: PageLanguage | null): FixedReply {
    return this.#fixedReply({ reply: NOT_FOR_THIS, state: 'out_of_scope', namesContact: true }, language)
  }

  #fixedReply({ reply, state, namesContact }: Omit<MatchableRoute, 'matcher'>, language: PageLanguage | null): FixedReply {
    const text = replyIn(reply, language)
    return { kind: 'route', text: namesContact ? this.#withContact(text, language) : text, state }
  }

  #otherLanguageReply(language: PageLanguage | null): FixedReply | null {
    const { languages } = this.definition
    if (!languages || !language || languages.includes(language)) return null
    const names = new Intl.DisplayNames([language], { type: 'language' })
    const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(languages.map((tag) => names.of(tag) ?? tag))
    return { kind: 'route', text: replyIn(OTHER_LANGUAGE, language).replace('{languages}', list), state: 'out_of_scope' }
  }

  #withContact(text: string, language: PageLanguage | null): string {
    if (this.#contact === null) return text
    return `${text} ${replyIn(CONTACT_SENTENCE, language).replace('{contact}', this.#contact)}`
  }
}

async function matchableRoutes({ routes, notFor }: PolicyDefinition): Promise<MatchableRoutes> {
  if (routes.length + notFor.length === 0) return { reader: null, routes: [] }
  const reader = await ContentWordReader.open()
  const matchable = [
    ...routes.map((route) => ({
      matcher: new ExampleMatcher(reader, route),
      state: route.state,
      reply: route.reply,
      namesContact: SHIPPED.has(route),
    })),
    ...notFor.map((topic) => ({
      matcher: new ExampleMatcher(reader, { examples: [topic], counterExamples: [], keywords: [topic] }),
      state: 'out_of_scope' as const,
      reply: NOT_FOR_THIS,
      namesContact: true,
    })),
  ]
  return { reader, routes: matchable }
}
