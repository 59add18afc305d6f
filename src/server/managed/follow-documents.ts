import { citedFile, isExpired, mirrorUploads } from '../knowledge/uploads/upload-mirror.ts'
import type { Database } from '../store/engine/database.ts'
import { readVersion } from '../store/engine/installation-facts.ts'
import type { Upload } from '../store/knowledge/managed-documents.ts'
import { VersionFollower } from '../store/engine/version-follower.ts'

const POLL_INTERVAL_MS = 800

/** The documents that staff have uploaded, as this process answers from them. */
export interface FollowedDocuments {
  /** Problems that staff should look at, in sentences. */
  problems(): readonly string[]
  /** Reads changes now instead of at the next poll. */
  poll(): Promise<void>
  close(): Promise<void>
}

interface FollowOptions {
  database: Database
  /** The data folder, below which documents are mirrored. */
  dataDirectory: string
  now: () => number
  onChange: () => void
  onFault: (cause: unknown) => void
}

/** Mirrors the documents that answer today, whichever process changes them, until `close`. */
export async function followDocuments({ database, dataDirectory, now, onChange, onFault }: FollowOptions): Promise<FollowedDocuments> {
  let uploads: readonly Upload[] = []
  const today = () => new Date(now()).toISOString().slice(0, 10)
  const follower = new VersionFollower({
    // A document that expires with the day leaves the index too.
    version: async () => `${await readVersion(database, 'uploads_version')} ${today()}`,
    async refresh() {
      const hadUploads = uploads.length > 0
      uploads = await mirrorUploads(database, dataDirectory, today())
      if (hadUploads || uploads.length > 0) onChange()
    },
    intervalMs: POLL_INTERVAL_MS,
    onFault,
  })
  await follower.start()
  return {
    problems: () => uploads.filter((upload) => !upload.isDraft && isExpired(upload, today())).map(expired),
    poll: () => follower.poll(),
    close: () => follower.close(),
  }
}

function expired(upload: Upload): string {
  return `${citedFile(upload)}: expired on ${upload.validUntil} and is no longer used. Ask ${upload.owner} for a new version.`
}
