import type { FastifyBaseLogger } from 'fastify'
import type { Agents } from '../agent/agents.ts'
import type { Settings } from '../config/config.ts'
import { citedFile, isExpired, mirrorUploads } from '../sources/uploads/upload-mirror.ts'
import type { Database } from '../store/database.ts'
import { readVersion } from '../store/installation-facts.ts'
import { isOutage } from '../store/storage-fault.ts'
import type { Upload } from '../store/uploads.ts'
import { VersionFollower } from '../store/version-follower.ts'

const POLL_INTERVAL_MS = 800

/** The documents that staff have uploaded, as this process answers from them. */
export interface OpenUploads {
  /** What staff should look at, in sentences. */
  problems(): readonly string[]
  /** Reads changes now instead of at the next poll. */
  poll(): Promise<void>
  close(): Promise<void>
}

interface UploadsParts {
  database: Database
  agents: Pick<Agents, 'refreshKnowledge'>
  now: () => number
  log: FastifyBaseLogger
}

/** Reads what is stored, and polls for changes until `close`. */
export async function openUploads(
  { dataDirectory }: Pick<Settings, 'dataDirectory'>,
  { database, agents, now, log }: UploadsParts,
): Promise<OpenUploads> {
  let uploads: readonly Upload[] = []
  const today = () => new Date(now()).toISOString().slice(0, 10)
  const follower = new VersionFollower({
    // A document that expires with the day leaves the index too.
    version: async () => `${await readVersion(database, 'uploads_version')} ${today()}`,
    async refresh() {
      const hadUploads = uploads.length > 0
      uploads = await mirrorUploads(database, dataDirectory, today())
      if (hadUploads || uploads.length > 0) agents.refreshKnowledge()
    },
    intervalMs: POLL_INTERVAL_MS,
    onFault: (err) => {
      if (!isOutage(err)) log.error({ err }, 'Reading the uploaded documents failed; retrying')
    },
  })
  await follower.start()
  return {
    problems: () => uploads.filter((upload) => isExpired(upload, today())).map(expired),
    poll: () => follower.poll(),
    close: () => follower.close(),
  }
}

function expired(upload: Upload): string {
  return `${citedFile(upload)}: expired on ${upload.valid_until} and is no longer used. Ask ${upload.owner} for a new version.`
}
