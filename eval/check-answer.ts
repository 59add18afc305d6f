import { textOf } from '../src/contract/message.ts'
import type { Turn } from './cases.ts'
import { sourcesOf, toolsOf } from './answer-parts.ts'
import { languageOf } from './language-of.ts'
import { ranksOf, type SourceRanks } from './source-ranks.ts'
import type { Reply } from './visitor.ts'

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
  const ranks = ranksIn(turn, reply)?.ranks ?? []
  return (turn.sources ?? []).filter((_, index) => ranks[index] === null).map((source) => `source ${source} is missing`)
}

function toolFaults({ tool = [] }: Turn, used: readonly string[]): string[] {
  return tool.filter((name) => !used.includes(name)).map((name) => `tool ${name} was not used`)
}

function textFaults({ contains = [], matches = [], forbidden = [], language }: Turn, text: string): string[] {
  const lower = text.toLowerCase()
  const told = language === undefined ? null : languageOf(text)
  return [
    ...contains.filter((words) => !lower.includes(words.toLowerCase())).map((words) => `lacks "${words}"`),
    ...matches.filter((pattern) => !new RegExp(pattern, 'iu').test(text)).map((pattern) => `does not match /${pattern}/`),
    ...forbidden.filter((words) => lower.includes(words.toLowerCase())).map((words) => `says "${words}"`),
    ...(language !== undefined && told !== language ? [`is in ${told ?? 'an unclear language'}, not ${language}`] : []),
  ]
}
