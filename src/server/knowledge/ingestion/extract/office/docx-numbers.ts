import { numeralOf } from '../html-inline.ts'
import { allOf, childOf, type XmlDocument, type XmlElement } from './xml.ts'

const MAX_LEVEL = 8
const FORMATS: Readonly<Record<string, string>> = { lowerLetter: 'a', upperLetter: 'A', lowerRoman: 'i', upperRoman: 'I' }

interface List {
  /** Lists of the same kind count on. */
  kind: string
  levels: ReadonlyMap<number, XmlElement>
  starts: ReadonlyMap<number, number>
}

/** Counts the paragraphs of numbered lists, which Word stores without their numbers. */
export class Numbers {
  readonly #lists = new Map<string, List>()
  readonly #counts = new Map<string, number[]>()
  readonly #begun = new Set<string>()

  constructor(document: XmlDocument) {
    const kinds = new Map(allOf(document, 'w:abstractNum').map((kind) => [kind.attribs['w:abstractNumId'] ?? '', kind]))
    for (const list of allOf(document, 'w:num')) {
      const kind = childOf(list, 'w:abstractNumId')?.attribs['w:val'] ?? ''
      const own = allOf(list, 'w:lvlOverride')
      const levels = [...allOf(kinds.get(kind) ?? list, 'w:lvl'), ...own.flatMap((level) => allOf(level, 'w:lvl'))]
      this.#lists.set(list.attribs['w:numId'] ?? '', {
        kind,
        levels: new Map(levels.map((level) => [Number(level.attribs['w:ilvl']), level])),
        starts: new Map(own.flatMap((level) => startOf(level, 'w:startOverride', Number(level.attribs['w:ilvl'])))),
      })
    }
  }

  /** The number of the next paragraph, as `numPr` names its list; null for a bullet or none. */
  next(id: string | undefined, level: number): string | null {
    const list = this.#lists.get(id ?? '')
    const own = list?.levels.get(level)
    if (!list || !own || level > MAX_LEVEL) return null
    const counts = this.#counts.get(list.kind) ?? []
    this.#counts.set(list.kind, counts)
    if (!this.#begun.has(id ?? '')) for (const [at, start] of list.starts) counts[at] = start - 1
    this.#begun.add(id ?? '')
    for (let at = 0; at <= level; at += 1) {
      const [[, start] = [0, 1]] = startOf(list.levels.get(at), 'w:start', at)
      counts[at] ??= at < level ? start : start - 1
    }
    counts[level] = (counts[level] ?? 0) + 1
    counts.length = level + 1
    if (formatOf(own) === 'bullet' || formatOf(own) === 'none') return null
    const text = childOf(own, 'w:lvlText')?.attribs['w:val'] ?? ''
    return text.replace(/%(\d)/g, (_, digit: string) => {
      const format = FORMATS[formatOf(list.levels.get(Number(digit) - 1))]
      return numeralOf(counts[Number(digit) - 1] ?? 1, format).replace(/^- |[.)]$/g, '')
    })
  }
}

const formatOf = (level: XmlElement | undefined): string => (level && childOf(level, 'w:numFmt')?.attribs['w:val']) ?? 'decimal'

function startOf(level: XmlElement | undefined, name: string, at: number): [level: number, start: number][] {
  const start = Number((level && childOf(level, name)?.attribs['w:val']) ?? Number.NaN)
  return Number.isNaN(start) ? [] : [[at, start]]
}
