import { Script } from 'node:vm'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { Turn } from './cases.ts'
import { sourcesOf, toolsOf } from './answer-parts.ts'
import { detectLanguage } from '../../language.ts'
import { ranksOf, type SourceRanks } from './source-ranks.ts'

export interface Reply {
  state: AnswerState
  /** Code of the failure or rejection. */
  code: ErrorCode | null
  answer: ChatMessage
  ms: number
  /** Until the first word; undefined if there was none. */
  firstWordMs?: number
}

/** `none` as the only expected source: no source is allowed. */
export function expectsNoSource({ sources }: Pick<Turn, 'sources'>): boolean {
  return sources?.length === 1 && sources[0] === 'none'
}

/** Ranks of the expected sources in an answer; null if none is expected. */
export function ranksIn({ sources }: Turn, { answer }: Reply): SourceRanks | null {
  if (!sources || expectsNoSource({ sources })) return null
  return ranksOf(
    sources,
    sourcesOf(answer).map(({ file, quote }) => ({ file, text: quote })),
  )
}

/** Short descriptions of the faults of a reply; empty if it is correct. A failure is a fault unless expected. */
export function faultsOf(turn: Turn, reply: Reply): string[] {
  const { state, code, answer } = reply
  const isExpected = turn.state?.includes(state) ?? (state === 'answered' || state === 'answered_without_source' || state === 'not_covered')
  const because = code === null ? '' : ` (${code})`
  if (!isExpected) return [turn.state ? `is ${state}${because}, not ${turn.state.join(' or ')}` : `${state}${because}`]
  return [...sourceFaults(turn, reply), ...toolFaults(turn, toolsOf(answer)), ...textFaults(turn, textOf(answer))]
}

function sourceFaults(turn: Turn, reply: Reply): string[] {
  const [first] = sourcesOf(reply.answer)
  if (expectsNoSource(turn)) return first ? [`has a source: ${first.file}`] : []
  const ranks = ranksIn(turn, reply) ?? []
  return (turn.sources ?? []).filter((_, index) => ranks[index] === null).map((source) => `source ${source} is missing`)
}

function toolFaults({ tool = [] }: Turn, used: readonly string[]): string[] {
  return tool.filter((name) => !used.includes(name)).map((name) => `tool ${name} was not used`)
}

function textFaults({ contains = [], matches = [], forbidden = [], language }: Turn, text: string): string[] {
  const lower = text.toLowerCase()
  const detected = language === undefined ? null : detectLanguage(text)
  return [
    ...contains.filter((words) => !lower.includes(words.toLowerCase())).map((words) => `lacks "${words}"`),
    ...matches.flatMap((pattern) => patternFault(pattern, text)),
    ...forbidden.filter((words) => lower.includes(words.toLowerCase())).map((words) => `says "${words}"`),
    ...(language !== undefined && detected !== language ? [`is in ${detected ?? 'an unclear language'}, not ${language}`] : []),
  ]
}

/** A pattern that takes longer is a fault: some would take years. */
const MATCH_LIMIT_MS = 500
const MATCH = new Script("new RegExp(pattern, 'iu').test(text)")

function patternFault(pattern: string, text: string): string[] {
  try {
    return MATCH.runInNewContext({ pattern, text }, { timeout: MATCH_LIMIT_MS }) === true ? [] : [`does not match /${pattern}/`]
  } catch {
    return [`/${pattern}/ takes too long to match`]
  }
}
