import { type ChatMessagePart, textOf } from '../../../contract/message.ts'
import { excerptOf, relevanceOf, type SourcePart, sourcesIn } from './source-excerpt.ts'

export interface ShownSource {
  source: SourcePart
  /** What the answer calls it by. */
  number: number
  excerpt: string | undefined
}

/** `used`: what the answer cites, or its model named itself. `found`: the best of what was looked up, where it cites nothing. */
export interface ShownSources {
  kind: 'used' | 'found'
  sources: ShownSource[]
}

const MOST_FOUND = 3

/** `[1]`, `[1, 2]` and `【1】` outside of code; a link is none. */
const CITATION = /[[【](\d{1,3}(?:\s*[,;]\s*\d{1,3})*)[\]】](?!\()/g
const CODE = /(`+)[^`][\s\S]*?\1/g

/** Which sources of an answer are shown. What a search of the server has found is numbered by it, and the model cites these numbers. */
export function shownSources(parts: ChatMessagePart[]): ShownSources {
  const all = numbered(sourcesIn(parts), parts)
  const cited = citedNumbers(textOf({ parts }))
  const used = byNumber(all.filter(({ source, number }) => numberOf(source) === undefined || cited.has(number)))
  return used.length > 0 ? { kind: 'used', sources: used } : { kind: 'found', sources: bestOf(all, parts) }
}

/** The server's numbers, and for what the model named itself those that follow. */
function numbered(sources: SourcePart[], parts: ChatMessagePart[]): ShownSource[] {
  let last = Math.max(0, ...sources.map((source) => numberOf(source) ?? 0))
  return sources.map((source) => ({ source, number: numberOf(source) ?? ++last, excerpt: excerptOf(source, parts) }))
}

function numberOf({ type, sourceId }: SourcePart): number | undefined {
  return type === 'source-document' && /^\d{1,3}$/.test(sourceId) ? Number(sourceId) : undefined
}

function citedNumbers(text: string): Set<number> {
  const citations = text.replaceAll(CODE, '').matchAll(CITATION)
  return new Set([...citations].flatMap(([, numbers = '']) => numbers.split(/[,;]/).map(Number)))
}

/** The most relevant, each passage once however often it was found, in the order of their numbers. */
function bestOf(sources: ShownSource[], parts: ChatMessagePart[]): ShownSource[] {
  const known = new Map(sources.toReversed().map((shown) => [`${shown.source.title}\n${shown.excerpt ?? shown.number}`, shown]))
  const best = [...known.values()]
    .toReversed()
    .map((shown) => ({ shown, relevance: relevanceOf(shown.source, parts) }))
    .toSorted((one, other) => other.relevance - one.relevance)
    .slice(0, MOST_FOUND)
  return byNumber(best.map(({ shown }) => shown))
}

const byNumber = (sources: ShownSource[]): ShownSource[] => sources.toSorted((one, other) => one.number - other.number)
