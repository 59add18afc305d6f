import { findPersonalData } from '../../personal-data/find-personal-data.ts'
import { kindsWith, type PersonalDataRules } from '../../personal-data/kinds.ts'
import { mask } from '../../personal-data/placeholders.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { useApplication } from './application-store.ts'
import { useConfiguration } from './configuration.ts'
import { rememberValues, valuesOf } from './personal-values.ts'

/** The rules of the chosen agent; `null` until they are known. */
export const personalDataRules = (): PersonalDataRules | null => useConfiguration.getState()?.agent.personalData ?? null

/** A text of a chat with placeholders for what the agent masks. The values are remembered, in this tab's storage if `isStored`. */
export function maskText(key: string, text: string, isStored: boolean): string {
  const rules = personalDataRules()
  const found = rules ? findPersonalData(text, kindsWith(rules, 'mask')) : []
  if (found.length === 0) return text
  const { currentSession } = useApplication.getState()
  const known = valuesOf(key)
  const texts = currentSession?.key === key ? currentSession.messages.map(textOf) : []
  const masked = mask(text, found, known, texts)
  rememberValues(key, masked.values, isStored)
  return masked.text
}
