import {
  DEFAULT_PERSONAL_DATA_RULES,
  PERSONAL_DATA_ACTIONS,
  PERSONAL_DATA_KINDS,
  type PersonalDataRules,
} from '../../personal-data/kinds.ts'
import { ChosenPersonalDataRules, completeRules } from '../../personal-data/rules.ts'
import { text } from './setting-schemas.ts'

const MISTAKE = `must be ${PERSONAL_DATA_ACTIONS.join(', ')}, or a list such as card:refuse,iban:mask of the kinds ${PERSONAL_DATA_KINDS.join(', ')}`

export const PERSONAL_DATA_ENVIRONMENT = {
  PERSONAL_DATA: text
    .refine((value) => readRules(value) !== null, MISTAKE)
    .default(
      Object.entries(DEFAULT_PERSONAL_DATA_RULES)
        .map((entry) => entry.join(':'))
        .join(','),
    )
    .describe(
      'Action for personal data in prompts: `allow`, `ask` (the page asks before sending), `mask` (placeholders are sent and stored instead) or `refuse`. ' +
        'For all kinds, or by kind, such as `card:refuse,iban:mask`; kinds left out keep their default. See [Personal data](agents.md#personal-data).',
    ),
}

export const personalDataRules = ({ PERSONAL_DATA: value }: { PERSONAL_DATA: string }): PersonalDataRules =>
  readRules(value) ?? DEFAULT_PERSONAL_DATA_RULES

function readRules(value: string): PersonalDataRules | null {
  const entries = value.split(',').map((entry) => entry.trim().split(/\s*:\s*/))
  const chosen = value.includes(':') ? Object.fromEntries(entries) : value
  const isList = entries.every((entry) => entry.length === 2) && new Set(entries.map(([kind]) => kind)).size === entries.length
  const reading = ChosenPersonalDataRules.safeParse(chosen)
  return reading.success && (typeof chosen === 'string' || isList) ? completeRules(reading.data, DEFAULT_PERSONAL_DATA_RULES) : null
}
