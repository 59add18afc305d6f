import type { EmbedList, EmbedText } from '../../contract/staff/content/embeds.ts'
import { Embed, embedTextOf } from '../config/embeds-file.ts'
import type { Database } from '../store/engine/database.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'
import { MANAGED_EMBEDS } from '../store/knowledge/managed-texts.ts'

interface FollowParts {
  database: Database
  versions: VersionFollower
  onFault: (message: string, cause: unknown) => void
}

/** Keeps in `live` the embeds of the file, which hide managed ones of the same name, and those that staff manage. */
export function followEmbeds(
  live: Map<string, Embed>,
  files: ReadonlyMap<string, Embed>,
  { database, versions, onFault }: FollowParts,
): Promise<void> {
  return versions.follow({
    version: MANAGED_EMBEDS.version,
    async refresh() {
      const managed = await MANAGED_EMBEDS.list(database)
      live.clear()
      for (const { id, draft } of managed) live.set(id, Embed.parse(JSON.parse(draft.text)))
      for (const [name, embed] of files) live.set(name, embed)
    },
    onFault: (cause) => onFault('Reading the embeds failed; keeping those that are live and retrying', cause),
  })
}

/** All embeds by name, as their texts have them. */
export async function listEmbeds(database: Database, files: ReadonlyMap<string, Embed>): Promise<EmbedList['embeds']> {
  const managed = (await MANAGED_EMBEDS.list(database))
    .filter(({ id }) => !files.has(id))
    .map(({ id: name, draft }) => ({ name, embed: JSON.parse(draft.text) as EmbedText, revision: draft.revision }))
  const read = [...files].map(([name, embed]) => ({ name, embed: embedTextOf(embed), revision: null }))
  return [...read, ...managed].toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Why an embed can't be saved; `null` if it can. */
export function embedMistake(embed: EmbedText): string | null {
  const issue = Embed.safeParse(embed).error?.issues[0]
  return issue ? `${issue.path.join('.')} ${issue.message}.` : null
}
