import { findPersonalData } from './find-personal-data.ts'
import { kindsWith, type PersonalDataRules } from './kinds.ts'

/** The texts that have no personal data which the rules ask about, mask or refuse. Nobody typed them, so nobody is asked. */
export function withoutPersonalData(texts: Readonly<Record<string, string>>, rules: PersonalDataRules): Record<string, string> {
  const kinds = kindsWith(rules, 'ask', 'mask', 'refuse')
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => findPersonalData(text, kinds).length === 0))
}
