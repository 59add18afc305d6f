import { z } from 'zod'
import {
  PERSONAL_DATA_ACTIONS,
  PERSONAL_DATA_KINDS,
  type PersonalDataAction,
  type PersonalDataKind,
  type PersonalDataRules,
} from './kinds.ts'

const Kind = z.enum(PERSONAL_DATA_KINDS)
const Action = z.enum(PERSONAL_DATA_ACTIONS, `must be ${PERSONAL_DATA_ACTIONS.join(', ')}`)

export const ResolvedPersonalDataRules = z.object({
  iban: Action,
  card: Action,
  national_id: Action,
  email: Action,
  telephone: Action,
  address: Action,
})

export const FoundPersonalData = z.object({
  kind: Kind,
  start: z.int().min(0).describe('In UTF-16 code units of the text, without white space around it.'),
  end: z.int().min(0).describe('After the last code unit.'),
})

export const ChosenPersonalDataRules = z.union([Action, z.partialRecord(Kind, Action)], {
  error: `must be ${PERSONAL_DATA_ACTIONS.join(', ')}, or one of these by kind (${PERSONAL_DATA_KINDS.join(', ')})`,
})
export type ChosenPersonalDataRules = z.infer<typeof ChosenPersonalDataRules>

/** Completes chosen rules; kinds that they leave out follow `defaults`. */
export function completeRules(chosen: ChosenPersonalDataRules, defaults: PersonalDataRules): PersonalDataRules {
  return typeof chosen === 'string' ? rulesOf(() => chosen) : rulesOf((kind) => chosen[kind] ?? defaults[kind])
}

export function strictestRules(rules: readonly PersonalDataRules[]): PersonalDataRules {
  const strictness = (action: PersonalDataAction): number => PERSONAL_DATA_ACTIONS.indexOf(action)
  return rulesOf((kind) =>
    rules.map((one) => one[kind]).reduce((most, action) => (strictness(action) > strictness(most) ? action : most), 'allow'),
  )
}

function rulesOf(actionOf: (kind: PersonalDataKind) => PersonalDataAction): PersonalDataRules {
  return Object.fromEntries(PERSONAL_DATA_KINDS.map((kind) => [kind, actionOf(kind)])) as unknown as PersonalDataRules
}
