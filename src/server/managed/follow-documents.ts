import { citedFile, isExpired, mirrorUploads } from '../knowledge/uploads/upload-mirror.ts'
import type { Database } from '../store/engine/database.ts'
import type { Upload } from '../store/knowledge/managed-documents.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'

interface FollowOptions {
  database: Database
  /** The data folder, below which documents are mirrored. */
  dataDirectory: string
  versions: VersionFollower
  now: () => number
  onChange: () => void
  onFault: (cause: unknown) => void
}

/** Mirrors the documents that answer today, whichever process changes them. Returns a function that tells, in sentences, which have expired. */
export async function followDocuments(options: FollowOptions): Promise<() => string[]> {
  const { database, dataDirectory, versions, now, onChange, onFault } = options
  let uploads: readonly Upload[] = []
  const today = () => new Date(now()).toISOString().slice(0, 10)
  await versions.follow({
    version: 'uploads_version',
    // A document that expires with the day leaves the index too.
    also: today,
    async refresh() {
      const hadUploads = uploads.length > 0
      uploads = await mirrorUploads(database, dataDirectory, today())
      if (hadUploads || uploads.length > 0) onChange()
    },
    onFault,
  })
  return () => uploads.filter((upload) => !upload.isDraft && isExpired(upload, today())).map(expired)
}

function expired(upload: Upload): string {
  return `${citedFile(upload)}: expired on ${upload.validUntil} and is no longer used. Ask ${upload.owner} for a new version.`
}
