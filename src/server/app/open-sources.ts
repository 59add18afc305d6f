import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Agents } from '../answering/agents/agents.ts'
import type { Settings } from '../config/config.ts'
import { citedFile, isExpired, mirrorUploads } from '../knowledge/uploads/upload-mirror.ts'
import { sourcesDirectoryOf, UPLOADS_SOURCE } from '../knowledge/files/list-source-pages.ts'
import type { WebsiteSources } from '../knowledge/websites/website-sources.ts'
import type { Database } from '../store/engine/database.ts'
import type { Upload } from '../store/knowledge/managed-documents.ts'
import { isOutage } from '../store/engine/storage-fault.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'

const CHECK_INTERVAL_MS = 5_000

export type OpenSources = Awaited<ReturnType<typeof openSources>>

interface SourcesParts {
  database: Database
  versions: VersionFollower
  agents: Pick<Agents, 'knowledge'>
  now: () => number
  instance: string
  log: FastifyBaseLogger
}

/** Whether there are pages of websites, beside uploaded documents. */
function hasWebsites(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).some((id) => id !== UPLOADS_SOURCE)
}

/** Reads the documents that staff upload, and loads what reads websites once there is a `sources.yaml`, or pages of earlier ones. */
export async function openSources(
  { knowledgeDirectory, dataDirectory, browserUrl }: Settings,
  { database, versions, agents, now, instance, log }: SourcesParts,
) {
  let sources: WebsiteSources | undefined
  let opening: Promise<void> | undefined
  const open = async () => {
    const { WebsiteSources: Sources } = await import('../knowledge/websites/website-sources.ts')
    const onChange = () => agents.knowledge.refresh()
    sources = new Sources({ knowledgeDirectory, dataDirectory, browserUrl, database, instance, now, log, onChange })
    sources.start()
  }
  const isNeeded = () => existsSync(join(knowledgeDirectory, 'sources.yaml')) || hasWebsites(sourcesDirectoryOf(dataDirectory))
  const check = () => {
    if (opening || !isNeeded()) return
    clearInterval(timer)
    opening = open().catch((err: unknown) => log.error({ err }, 'Reading the sources of the knowledge failed; restart the server'))
  }
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  check()
  let uploads: readonly Upload[] = []
  const today = () => new Date(now()).toISOString().slice(0, 10)
  await versions.follow({
    version: 'uploads_version',
    // A document that expires with the day leaves the index too.
    also: today,
    async refresh() {
      const hadUploads = uploads.length > 0
      uploads = await mirrorUploads(database, dataDirectory, today())
      if (hadUploads || uploads.length > 0) agents.knowledge.refresh()
    },
    onFault(err) {
      if (!isOutage(err)) log.error({ err }, 'Reading the uploaded documents failed; retrying')
    },
  })
  const expired = () => uploads.filter((upload) => !upload.isDraft && isExpired(upload, today())).map(expirySentence)
  return {
    /** Problems for staff, in sentences. */
    problems: () => [...(sources?.problems ?? []), ...expired()],
    definitions: () => sources?.definitions ?? [],
    /** Reads a website soon; `false` if `sources.yaml` doesn't name it. */
    sync: (id: string) => sources?.request(id) ?? false,
    async close() {
      clearInterval(timer)
      await opening
      await sources?.close()
    },
  }
}

function expirySentence(upload: Upload): string {
  return `${citedFile(upload)}: expired on ${upload.validUntil} and is no longer used. Ask ${upload.owner} for a new version.`
}
