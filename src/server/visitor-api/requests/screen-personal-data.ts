import { setImmediate } from 'node:timers/promises'
import { findPersonalData } from '../../../personal-data/find-personal-data.ts'
import { kindsWith, type PersonalDataKind, type PersonalDataRules } from '../../../personal-data/kinds.ts'
import { mask } from '../../../personal-data/placeholders.ts'
import { textMasker } from '../../../personal-data/text-masker.ts'
import type { Rejection } from '../../../contract/rejection.ts'
import { personalData } from '../../turns/before-the-model.ts'

export interface ScreenedPrompt<Body> {
  body: Body
  /** Kinds in the prompt that the page would have asked about. */
  asked: PersonalDataKind[]
}

/** Masks what the rules mask in a prompt and its earlier messages, and what they refuse where it was not rejected. */
export async function screenPrompt<Body extends { prompt: string; history?: { text: string }[] | undefined }>(
  body: Body,
  rules: PersonalDataRules,
): Promise<ScreenedPrompt<Body>> {
  const found = findPersonalData(body.prompt, kindsWith(rules, 'ask', 'mask', 'refuse'))
  const masked = found.filter(({ kind }) => rules[kind] !== 'ask')
  const asked = new Set(found.filter(({ kind }) => rules[kind] === 'ask').map(({ kind }) => kind))
  return { asked: [...asked], body: await maskHistory({ ...body, prompt: mask(body.prompt, masked).text }, rules) }
}

export function screenFileText(text: string, rules: PersonalDataRules): { kind: 'screened'; text: string } | Rejection {
  return personalData({ prompt: text, rules }) ?? { kind: 'screened', text: textMasker(rules)(text) }
}

async function maskHistory<Body extends { history?: { text: string }[] | undefined }>(body: Body, rules: PersonalDataRules): Promise<Body> {
  if (!body.history) return body
  const masked = textMasker(rules)
  const history: { text: string }[] = []
  for (const message of body.history) {
    history.push({ ...message, text: masked(message.text) })
    // Together, the messages can be long.
    await setImmediate()
  }
  return { ...body, history }
}
