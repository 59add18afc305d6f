import type { LimitInForce } from '../contract/staff/limits.ts'
import { defineMessage, type MessageText, t } from '../web/language/translate.ts'

/** What limits limit, by their names: the first sentences of the settings' descriptions. */
export const LIMIT_NAMES: Readonly<Record<string, MessageText>> = {
  moneyPerDay: defineMessage('Maximum cost of all answers per day (UTC)'),
  moneyPerMonth: defineMessage('Maximum cost of all answers per month (UTC)'),
  allRunningTurns: defineMessage('Running answers per process'),
  waitingPrompts: defineMessage('Queued prompts per process'),
  promptsPerMinute: defineMessage('Prompts per visitor and minute'),
  promptsPerDay: defineMessage('Prompts per visitor and day (UTC)'),
  networkPromptsPerMinute: defineMessage('Prompts per network and minute'),
  networkPromptsPerDay: defineMessage('Prompts per network and day (UTC)'),
  newVisitorsPerHour: defineMessage('New visitors per network and hour'),
  allNewVisitorsPerHour: defineMessage('New visitors per hour in total'),
  readsPerMinute: defineMessage('Reads per visitor and minute'),
  networkReadsPerMinute: defineMessage('Reads per network and minute'),
  writesPerMinute: defineMessage('Writes per visitor and minute: prompts, changes, deletions, imports, sign-ins and transfers'),
  networkWritesPerMinute: defineMessage('Writes per network and minute'),
  pollsPerMinute: defineMessage('Polls of a turn and opened streams per visitor and minute'),
  networkPollsPerMinute: defineMessage('Polls of a turn and opened streams per network and minute'),
  importsPerHour: defineMessage('Imported documents per visitor and hour'),
  networkImportsPerHour: defineMessage('Imported documents per network and hour'),
  networkConnections: defineMessage('Open connections per network'),
  filesPerHour: defineMessage('File uploads per visitor and hour'),
  networkFilesPerHour: defineMessage('File uploads per network and hour'),
  runningTurns: defineMessage('Concurrent answers per visitor'),
  networkRunningTurns: defineMessage('Concurrent answers per network'),
  streams: defineMessage('Open streams per visitor'),
  networkStreams: defineMessage('Open streams per network'),
  allStreams: defineMessage('Open streams per process'),
  tokensPerDay: defineMessage('Model tokens (input and output) per visitor and day (UTC)'),
  networkTokensPerDay: defineMessage('Model tokens (input and output) per network and day (UTC)'),
}

/** What a limit limits. */
export function limitName({ name, description }: LimitInForce): string {
  const known = LIMIT_NAMES[name]
  return known ? t(known) : firstSentenceOf(description)
}

/** The first sentence of a setting's description. */
export function firstSentenceOf(description: string): string {
  return (description.split(/(?<=\.) /, 1)[0] ?? description).replace(/\.$/, '')
}
