import type { EmbedList, EmbedText } from '../../contract/staff/content/embeds.ts'
import { Embed } from '../config/embeds-file.ts'
import type { Database } from '../store/engine/database.ts'
import { readVersion } from '../store/engine/installation-facts.ts'
import { VersionFollower } from '../store/engine/version-follower.ts'
import { MANAGED_EMBEDS } from '../store/knowledge/managed-texts.ts'

const POLL_INTERVAL_MS = 500

interface FollowOptions {
  database: Database
  /** Those of `embeds.yaml`, which hide managed ones of the same name. */
  files: ReadonlyMap<string, Embed>
  onFault: (cause: unknown) => void
}

/** Keeps in `live` the embeds of the file and those that staff manage, whichever process changes them. */
export async function followEmbeds(live: Map<string, Embed>, { database, files, onFault }: FollowOptions): Promise<VersionFollower> {
  const follower = new VersionFollower({
    version: () => readVersion(database, MANAGED_EMBEDS.version),
    async refresh() {
      const managed = await MANAGED_EMBEDS.list(database)
      live.clear()
      for (const { id, draft } of managed) live.set(id, Embed.parse(JSON.parse(draft.text)))
      for (const [name, embed] of files) live.set(name, embed)
    },
    intervalMs: POLL_INTERVAL_MS,
    onFault,
  })
  await follower.start()
  return follower
}

/** All embeds by name, as their texts have them. */
export async function listEmbeds(database: Database, files: ReadonlyMap<string, Embed>): Promise<EmbedList['embeds']> {
  const managed = (await MANAGED_EMBEDS.list(database))
    .filter(({ id }) => !files.has(id))
    .map(({ id: name, draft }) => ({ name, embed: JSON.parse(draft.text) as EmbedText, revision: draft.revision }))
  const read = [...files].map(([name, embed]) => ({ name, embed: textOf(embed), revision: null }))
  return [...read, ...managed].toSorted((one, other) => one.name.localeCompare(other.name))
}

function textOf(embed: Embed): EmbedText {
  const { languages: _, color, greeting, ...texts } = embed
  // Undoes `light-dark(…)`.
  return { ...texts, ...(greeting && { greeting }), ...(color && { color: color.slice(11, -1) }) }
}

/** Why an embed can't be saved; `null` if it can. */
export function embedMistake(embed: EmbedText): string | null {
  const issue = Embed.safeParse(embed).error?.issues[0]
  return issue ? `${issue.path.join('.')} ${issue.message}.` : null
}
