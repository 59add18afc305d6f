import type { FixedReplyKind } from '../../contract/chat/message.ts'
import type { AnswerState } from '../../contract/chat/answer-state.ts'
import type { PublicHandover } from '../../contract/config.ts'
import type { PageLanguage } from '../../contract/page-languages.ts'
import { languageOf } from '../language.ts'
import type { ApprovedAnswer, ApprovedSource } from './approved/approved-answer.ts'
import { ContentWordReader } from './content-words.ts'
import { ExampleMatcher, readPrompt } from './example-matcher.ts'
import { CONTACT_SENTENCE, NOT_FOR_THIS, OTHER_LANGUAGE } from './fixed-sentences.ts'
import { foldWording } from '../../text/fold-wording.ts'
import { emergencyReply } from '../safety/emergency/emergency-reply.ts'
import type { EmergencyKind } from '../safety/emergency/kinds.ts'
import { handoverReply, publicHandover } from './handover.ts'
import { type LocalizedText, textIn } from './localized-text.ts'
import type { PolicyDefinition } from './policy.ts'
import { translated } from '../translations/translations.ts'

/** A reply that is not written by a model. */
export interface FixedReply {
  kind: FixedReplyKind
  /** Markdown. */
  text: string
  state: Extract<AnswerState, 'answered' | 'referred' | 'out_of_scope' | 'blocked_input' | 'suspended'>
  /** Set on approved answers. */
  approved?: { source: ApprovedSource; file: string; approvedOn: string }
}

/** Finds the approved answer to this question; `null` if there is none. `excluded`: files that may not be used. */
export interface ApprovedAnswerSource {
  answerTo(prompt: string, excluded: readonly string[]): Promise<Pick<ApprovedAnswer, 'file' | 'text' | 'source' | 'validFrom'> | null>
}

interface RouteReply {
  state: FixedReply['state']
  reply: LocalizedText
}

const OUT_OF_SCOPE = 'out of scope' as const

type FoundReply = RouteReply | typeof OUT_OF_SCOPE

/** Words or phrases whose occurrence in a prompt is enough. */
interface RouteKeywords {
  matcher: ExampleMatcher
  /** Folded prompts that are not meant. */
  except: ReadonlySet<string>
  found: FoundReply
}

interface MatchableRoutes {
  /** By each example, folded. */
  byWording: ReadonlyMap<string, RouteReply>
  /** In the order in which they apply. */
  keywords: readonly RouteKeywords[]
  reader: ContentWordReader
}

/** Decides which prompts an agent's policy answers with a fixed reply. */
export class AgentPolicy {
  readonly definition: PolicyDefinition
  readonly #contact: string | null
  readonly #approved: ApprovedAnswerSource | null
  readonly #now: () => Date
  #routes: MatchableRoutes | undefined

  /** @param contact The operator's contact, which the reply about other topics names; `null` for none. */
  constructor(definition: PolicyDefinition, contact: string | null, approved: ApprovedAnswerSource | null = null, now = () => new Date()) {
    this.definition = definition
    this.#contact = contact
    this.#approved = approved
    this.#now = now
  }

  /** The approved answer to this question; `null` for none. `excluded`: files that may not be used. */
  async approvedReply(prompt: string, excluded: readonly string[]): Promise<FixedReply | null> {
    const answer = await this.#approved?.answerTo(prompt, excluded)
    if (!answer) return null
    const { text, source, file, validFrom } = answer
    return { kind: 'approved', text, state: 'answered', approved: { source, file, approvedOn: validFrom } }
  }

  /**
   * The reply of the route that a prompt matches, by an exact wording before keywords; `null` if it matches none. `languages`: for a
   * prompt whose words don't tell its language.
   */
  async routeReply(prompt: string, languages: readonly string[]): Promise<FixedReply | null> {
    // Loaded with the first prompt: stemmers take memory that an idle server doesn't need.
    this.#routes ??= matchableRoutes(this.definition)
    const found = routeOf(prompt, this.#routes)
    if (found) return this.#fixedReply(found, languageOf(prompt, languages))
    return this.definition.languages ? this.#otherLanguageReply(languageOf(prompt)) : null
  }

  /** Ways to a person, for the page; texts in a language (a primary tag of BCP 47) or in English. */
  handoverIn(language: string | undefined): PublicHandover | null {
    const { handover } = this.definition
    return handover && publicHandover(handover, languageOf('', language === undefined ? [] : [language]), this.#now())
  }

  /** The ways to a person, for a prompt that asks for one; `null` for others, and where the policy has none. */
  async personReply(prompt: string, languages: readonly string[]): Promise<FixedReply | null> {
    const { handover } = this.definition
    if (handover === null) return null
    // Its phrases are loaded where they are needed.
    const { asksForPerson } = await import('./asks-person.ts')
    if (!asksForPerson(prompt, languages)) return null
    const facts = { language: languageOf(prompt, languages), contact: this.#contact, now: this.#now() }
    return { kind: 'person', text: handoverReply(handover, facts), state: 'referred' }
  }

  /** The reply of a route; `null` for an unknown one. */
  replyOf(id: string, language: PageLanguage | null): FixedReply | null {
    const route = this.definition.routes.find((one) => one.id === id)
    return route ? this.#fixedReply(route, language) : null
  }

  /** The reply to a prompt that is not this assistant's business. */
  notForThisReply(language: PageLanguage | null): FixedReply {
    const contact = this.#contact === null ? '' : ` ${translated(CONTACT_SENTENCE, language, { contact: this.#contact })}`
    return { kind: 'route', text: `${translated(NOT_FOR_THIS, language)}${contact}`, state: 'out_of_scope' }
  }

  /** The reply in an emergency, with the numbers of the policy's countries; `null` where the policy turns it off. */
  emergencyReply(kind: EmergencyKind, language: PageLanguage | null): FixedReply | null {
    const { emergency, countries } = this.definition
    return emergency === 'off' ? null : { kind: 'emergency', text: emergencyReply(kind, language, countries), state: 'referred' }
  }

  #fixedReply(found: FoundReply, language: PageLanguage | null): FixedReply {
    if (found === OUT_OF_SCOPE) return this.notForThisReply(language)
    return { kind: 'route', text: textIn(found.reply, language), state: found.state }
  }

  #otherLanguageReply(language: PageLanguage | null): FixedReply | null {
    const { languages } = this.definition
    if (!languages || !language || languages.includes(language)) return null
    const names = new Intl.DisplayNames([language], { type: 'language' })
    const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(languages.map((tag) => names.of(tag) ?? tag))
    return { kind: 'route', text: translated(OTHER_LANGUAGE, language, { languages: list }), state: 'out_of_scope' }
  }
}

function matchableRoutes({ routes, notFor }: PolicyDefinition): MatchableRoutes {
  const topics = [
    ...routes.flatMap((route) => (route.keywords.length > 0 ? { ...route, found: route } : [])),
    ...notFor.map((topic) => ({ keywords: [topic], counterExamples: [], found: OUT_OF_SCOPE })),
  ]
  const reader = new ContentWordReader()
  return {
    // The first route with a wording counts.
    byWording: new Map(routes.toReversed().flatMap((route) => route.examples.map((text) => [foldWording(text), route] as const))),
    keywords: topics.map(({ keywords, counterExamples, found }) => ({
      matcher: new ExampleMatcher(reader, { examples: [], keywords }),
      except: new Set(counterExamples.map(foldWording)),
      found,
    })),
    reader,
  }
}

function routeOf(prompt: string, { byWording, keywords, reader }: MatchableRoutes): FoundReply | undefined {
  const wording = foldWording(prompt)
  if (wording === '') return undefined
  const exact = byWording.get(wording)
  if (exact || keywords.length === 0) return exact
  const read = readPrompt(reader, prompt)
  return keywords.find(({ matcher, except }) => !except.has(wording) && matcher.matches(read))?.found
}
