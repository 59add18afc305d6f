import { findPersonalData } from './find-personal-data.ts'
import { kindsWith, type PersonalDataRules } from './kinds.ts'
import { mask } from './placeholders.ts'
import type { PlaceholderValues } from './unmask.ts'

/** Masks what rules mask or refuse, in texts that belong together: a value has one placeholder in all of them. */
export function textMasker(rules: PersonalDataRules): (text: string) => string {
  const kinds = kindsWith(rules, 'mask', 'refuse')
  let known: PlaceholderValues = {}
  return (text) => {
    const masked = mask(text, findPersonalData(text, kinds), known)
    known = masked.values
    return masked.text
  }
}
