import { findPersonalData } from '../../personal-data/find-personal-data.ts'
import { kindsWith, type PersonalDataRules } from '../../personal-data/kinds.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import type { AgentPolicy, FixedReply } from '../replies/agent-policy.ts'
import { detectEmergency } from '../safety/emergency/detect-emergency.ts'
import { languageOf } from '../language.ts'
import { stopConcerning, type StoppedScope, stoppedFiles, stopReply } from '../replies/stopped-topics.ts'

export interface PromptToDecide {
  prompt: string
  /** The visitor's prompt before, which a follow-up leaves unsaid. */
  earlier?: string | null | undefined
  agent: string
  policy: AgentPolicy
  stops: readonly StoppedScope[]
  /** Languages to reply in where the prompt's words don't tell, the page's first. */
  languages: readonly string[]
}

/** By name, in the order in which they apply. */
type Checks<Prompt, Outcome> = Readonly<Record<string, (prompt: Prompt) => Outcome | null | Promise<Outcome | null>>>

const MAX_LISTED = 100

const emergency = ({ policy, prompt, languages }: PromptToDecide): FixedReply | null => {
  const found = policy.definition.emergency === 'off' ? null : detectEmergency(prompt)
  if (!found) return null
  const language = languageOf(prompt, languages)
  const isNamed = found.languages.some((named) => named === language)
  return policy.emergencyReply(found.kind, isNamed ? language : (found.languages[0] ?? language))
}

const person = ({ policy, prompt, languages }: PromptToDecide): Promise<FixedReply | null> => policy.personReply(prompt, languages)

const stops = async ({ stops: all, agent, prompt, earlier, languages }: PromptToDecide): Promise<FixedReply | null> => {
  const stop = await stopConcerning(all, { agent, prompt, earlier })
  return stop ? stopReply(stop, languageOf(prompt, languages)) : null
}

/** The rejection of a text with personal data that the rules refuse; `null` without any. */
export const personalData = ({ prompt, rules }: { prompt: string; rules: PersonalDataRules }): Rejection | null => {
  const found = findPersonalData(prompt, kindsWith(rules, 'ask', 'mask', 'refuse')).filter(({ kind }) => rules[kind] === 'refuse')
  return found.length > 0 ? rejection('personal_data', { personalData: found.slice(0, MAX_LISTED) }) : null
}

interface TextsToModerate {
  texts: readonly string[]
  moderator: Pick<Moderator, 'check'> | null
}

const moderation = async ({ texts, moderator }: TextsToModerate): Promise<Rejection | null> => {
  const text = texts.filter((part) => part !== '').join('\n\n')
  const verdict = moderator && text !== '' ? await moderator.check(text) : 'allowed'
  if (verdict === 'allowed') return null
  return rejection(verdict === 'blocked' ? 'prompt_blocked' : 'moderation_unavailable')
}

const approvedAnswers = ({ policy, prompt, stops: all }: PromptToDecide): Promise<FixedReply | null> =>
  policy.approvedReply(prompt, stoppedFiles(all))

const routes = ({ policy, prompt, languages }: PromptToDecide): Promise<FixedReply | null> => policy.routeReply(prompt, languages)

/**
 * Checks of a prompt before a model answers it, in this order: the first reply or rejection counts. A prompt is stored with its reply;
 * of a rejected one, nothing is.
 */
export const BEFORE_THE_MODEL: {
  arrival: Checks<PromptToDecide & { rules: PersonalDataRules }, FixedReply | Rejection>
  admission: Checks<TextsToModerate, Rejection>
  answer: Checks<PromptToDecide, FixedReply>
} = {
  /** Before limits and queue. */
  arrival: {
    /** Help comes first, whatever is stopped, refused or used up. */
    emergency,
    /** A person can be reached while nothing is answered. What is refused stays refused. */
    person: (asked) => (personalData(asked) ? null : person(asked)),
    /** Where nothing is answered, nothing need be refused either. */
    stops,
    /** Here and not later, since an endpoint that moderates may belong to somebody else. */
    personalData,
  },
  /** Once the limits admit it, since a check costs a request; the commit follows. */
  admission: { moderation },
  /** Once it is stored, and whenever it is answered again: stops may have come meanwhile. The model, which searches, follows. */
  answer: {
    emergency,
    person,
    stops,
    /** Words that staff have approved, unless their file is stopped. */
    approvedAnswers,
    routes,
  },
}

/** Outcome of the first check that has one; `null` if none has. */
export async function firstOutcome<Prompt, Outcome>(checks: Checks<Prompt, Outcome>, prompt: Prompt): Promise<Outcome | null> {
  for (const check of Object.values(checks)) {
    const outcome = await check(prompt)
    if (outcome) return outcome
  }
  return null
}
