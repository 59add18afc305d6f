/** Kinds of personal data that are recognised, by precedence: of two that overlap, the first is found. */
export const PERSONAL_DATA_KINDS = ['iban', 'card', 'national_id', 'email', 'telephone', 'address'] as const
export type PersonalDataKind = (typeof PERSONAL_DATA_KINDS)[number]

/** Actions for a kind: none, a question on the page, a placeholder instead, or a rejection. */
export const PERSONAL_DATA_ACTIONS = ['allow', 'ask', 'mask', 'refuse'] as const
export type PersonalDataAction = (typeof PERSONAL_DATA_ACTIONS)[number]

export type PersonalDataRules = Readonly<Record<PersonalDataKind, PersonalDataAction>>

/** Personal data in a text, from `start` to before `end` in UTF-16 code units. */
export interface PersonalDataMatch {
  kind: PersonalDataKind
  start: number
  end: number
}

export const DEFAULT_PERSONAL_DATA_RULES: PersonalDataRules = {
  iban: 'ask',
  card: 'ask',
  national_id: 'ask',
  email: 'allow',
  telephone: 'allow',
  address: 'allow',
}

export const kindsWith = (rules: PersonalDataRules, ...actions: readonly PersonalDataAction[]): PersonalDataKind[] =>
  PERSONAL_DATA_KINDS.filter((kind) => actions.includes(rules[kind]))
