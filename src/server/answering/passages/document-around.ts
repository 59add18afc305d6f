import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import type { FoundPassage, NeighbourPassages } from '../../knowledge/retrieval/search.ts'

/** Most passages, and their characters, on each side of the one asked for. */
const NEIGHBOURS = 40
const CHARACTERS_A_SIDE = 20_000

/** A document, or the part of a long one around a passage. */
export type DocumentText = Pick<FoundPassage, 'title' | 'file' | 'address' | 'asOf' | 'text'>

/** Reads the document of a passage that answers now, as far as it fits; `null` if there is none of this id, or its file is excluded. */
export type ReadDocument = (passage: string, excludedFiles: readonly string[]) => Promise<DocumentText | null>

/** Reads from these folders, and fills in the text's placeholders. */
export function documentReader(
  knowledge: Pick<KnowledgeBase, 'neighbours'>,
  folders: readonly string[],
  fill: (text: string) => string,
): ReadDocument {
  return async (id, excludedFiles) => {
    const around = await knowledge.neighbours(id, { folders, before: NEIGHBOURS, after: NEIGHBOURS })
    if (!around || excludedFiles.includes(around.passage.file)) return null
    const { title, file, address, asOf } = around.passage
    return { title, file, address, asOf, text: fill(textAround(around)) }
  }
}

function textAround({ passage, before, after }: NeighbourPassages): string {
  const chosen = [passage]
  for (const [side, add] of [
    [before.toReversed(), 'unshift'],
    [after, 'push'],
  ] as const) {
    let room = CHARACTERS_A_SIDE
    for (const neighbour of side) {
      room -= neighbour.text.length
      if (room < 0) break
      chosen[add](neighbour)
    }
  }
  const sections = chosen.map(({ breadcrumb, text }, index) =>
    breadcrumb === chosen[index - 1]?.breadcrumb ? text : `## ${breadcrumb}\n\n${text}`,
  )
  return sections.join('\n\n')
}
