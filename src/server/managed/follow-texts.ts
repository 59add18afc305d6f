import { readVersion } from '../store/engine/installation-facts.ts'
import type { Database } from '../store/engine/database.ts'
import type { ManagedTexts } from '../store/knowledge/managed-texts.ts'
import { VersionFollower } from '../store/engine/version-follower.ts'

const POLL_INTERVAL_MS = 500

interface FollowOptions {
  database: Database
  /** Puts the texts into force in this process. */
  apply: (published: { id: string; text: string }[]) => Promise<void>
  onFault: (cause: unknown) => void
}

/** Keeps published texts in force as the database has them, whichever process changes them. */
export async function followTexts(texts: ManagedTexts, { database, apply, onFault }: FollowOptions): Promise<VersionFollower> {
  const follower = new VersionFollower({
    version: () => readVersion(database, texts.version),
    refresh: async () => apply(await texts.published(database)),
    intervalMs: POLL_INTERVAL_MS,
    onFault,
  })
  await follower.start()
  return follower
}
