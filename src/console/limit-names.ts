import type { LimitInForce } from '../contract/staff/limits.ts'
import { defineMessage, type MessageText, t } from '../ui/language/translate.ts'

/** Labels of limits, by name: the first sentences of the settings' descriptions. */
export const LIMIT_NAMES: Readonly<Record<string, MessageText>> = {
  moneyPerDay: defineMessage('Maximum cost of all answers per day (UTC)'),
  moneyPerMonth: defineMessage('Maximum cost of all answers per month (UTC)'),
  allRunningTurns: defineMessage('Running answers per process'),
  promptsPerMinute: defineMessage('Prompts per visitor and minute'),
  promptsPerDay: defineMessage('Prompts per visitor and day (UTC)'),
  networkPromptsPerMinute: defineMessage('Prompts per network and minute'),
  networkPromptsPerDay: defineMessage('Prompts per network and day (UTC)'),
  newVisitorsPerHour: defineMessage('New visitors per network and hour'),
  allNewVisitorsPerHour: defineMessage('New visitors per hour in total'),
  runningTurns: defineMessage('Concurrent answers per visitor'),
  networkRunningTurns: defineMessage('Concurrent answers per network'),
  streams: defineMessage('Open streams per visitor'),
  tokensPerDay: defineMessage('Model tokens (input and output) per visitor and day (UTC)'),
  networkTokensPerDay: defineMessage('Model tokens (input and output) per network and day (UTC)'),
}

/** Label of a limit. */
export function limitName({ name, description }: LimitInForce): string {
  const known = LIMIT_NAMES[name]
  return known ? t(known) : firstSentenceOf(description)
}

/** The first sentence of a setting's description. */
export function firstSentenceOf(description: string): string {
  return (description.split(/(?<=\.) /, 1)[0] ?? description).replace(/\.$/, '')
}
