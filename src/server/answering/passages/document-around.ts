import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import type { FoundPassage } from '../../knowledge/retrieval/search.ts'

/** Most passages, and their characters, on each side of the one asked for. */
const NEIGHBOURS = 40
const CHARACTERS_A_SIDE = 20_000

/** A document, or the part of a long one around a passage. */
export type DocumentText = Pick<FoundPassage, 'title' | 'file' | 'address' | 'asOf' | 'text'>

/** The document of a passage in these folders, as far as it fits; `null` if there is no such passage. */
export async function documentAround(
  knowledge: Pick<KnowledgeBase, 'neighbours'>,
  folders: readonly string[],
  id: string,
): Promise<DocumentText | null> {
  const around = await knowledge.neighbours(id, { folders, before: NEIGHBOURS, after: NEIGHBOURS })
  if (!around) return null
  const { title, file, address, asOf } = around.passage
  const chosen = [around.passage]
  for (const [side, add] of [[around.before.toReversed(), 'unshift'], [around.after, 'push']] as const) {
    let room = CHARACTERS_A_SIDE
    for (const passage of side) {
      room -= passage.text.length
      if (room < 0) break
      chosen[add](passage)
    }
  }
  const sections = chosen.map((passage, index) =>
    passage.breadcrumb === chosen[index - 1]?.breadcrumb ? passage.text : `## ${passage.breadcrumb}\n\n${passage.text}`,
  )
  return { title, file, address, asOf, text: sections.join('\n\n') }
}
