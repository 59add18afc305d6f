import { setImmediate } from 'node:timers/promises'
import { findPersonalData } from '../../contract/personal-data/find-personal-data.ts'
import { kindsWith, type PersonalDataKind, type PersonalDataMatch, type PersonalDataRules } from '../../contract/personal-data/kinds.ts'
import { mask } from '../../contract/personal-data/placeholders.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'

/** Most matches that a rejection lists. */
const MAX_LISTED = 100

/** A prompt without the personal data that rules mask. */
export interface ScreenedPrompt<Body> {
  kind: 'screened'
  body: Body
  /** Kinds in the prompt that the page would have asked about. */
  asked: PersonalDataKind[]
}

/** Rejects a prompt with personal data that the rules refuse, and masks what they mask, in earlier messages what they refuse too. */
export async function screenPrompt<Body extends { prompt: string; history?: { text: string }[] | undefined }>(
  body: Body,
  rules: PersonalDataRules,
): Promise<ScreenedPrompt<Body> | Rejection> {
  const found = findPersonalData(body.prompt, kindsWith(rules, 'ask', 'mask', 'refuse'))
  const refused = found.filter(({ kind }) => rules[kind] === 'refuse')
  if (refused.length > 0) return rejectionOf(refused)
  const masked = found.filter(({ kind }) => rules[kind] === 'mask')
  const asked = new Set(found.filter(({ kind }) => rules[kind] === 'ask').map(({ kind }) => kind))
  return { kind: 'screened', asked: [...asked], body: await maskHistory({ ...body, prompt: mask(body.prompt, masked).text }, rules) }
}

/** The text of a file as the model may read it, or why it can't be stored. */
export function screenFileText(text: string, rules: PersonalDataRules): { kind: 'screened'; text: string } | Rejection {
  const found = findPersonalData(text, kindsWith(rules, 'mask', 'refuse'))
  const refused = found.filter(({ kind }) => rules[kind] === 'refuse')
  return refused.length > 0 ? rejectionOf(refused) : { kind: 'screened', text: mask(text, found).text }
}

async function maskHistory<Body extends { history?: { text: string }[] | undefined }>(body: Body, rules: PersonalDataRules): Promise<Body> {
  const kinds = kindsWith(rules, 'mask', 'refuse')
  if (!body.history || kinds.length === 0) return body
  const history: { text: string }[] = []
  for (const message of body.history) {
    history.push({ ...message, text: mask(message.text, findPersonalData(message.text, kinds)).text })
    // Together, the messages can be long.
    await setImmediate()
  }
  return { ...body, history }
}

const rejectionOf = (found: readonly PersonalDataMatch[]): Rejection =>
  rejection('personal_data', { personalData: found.slice(0, MAX_LISTED) })
