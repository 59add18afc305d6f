import { hash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type SourceManifest, sourcesDirectoryOf, UPLOADS_SOURCE } from '../files/list-source-pages.ts'
import type { Database } from '../../store/engine/database.ts'
import { listUploads, readDocument, type Upload } from '../../store/knowledge/managed-documents.ts'
import { writeManifest, writePage } from '../websites/mirror.ts'

/** The path under which answers cite an uploaded document. */
export function citedFile({ name }: Pick<Upload, 'name'>): string {
  return `source:${UPLOADS_SOURCE}/${name}`
}

/** Whether a document answers on this day, an ISO date in UTC. */
export function isExpired({ validUntil }: Pick<Upload, 'validUntil'>, today: string): boolean {
  return validUntil !== null && validUntil < today
}

/** Brings the uploaded documents that answer today into the data folder, from which the index reads them. Returns all documents. */
export async function mirrorUploads(database: Database, dataDirectory: string, today: string): Promise<Upload[]> {
  const folder = join(sourcesDirectoryOf(dataDirectory), UPLOADS_SOURCE)
  const uploads = await listUploads(database)
  const pages: SourceManifest['pages'] = []
  for (const upload of uploads) {
    if (upload.isDraft || isExpired(upload, today)) continue
    if (pages.length === 0) await mkdir(folder, { recursive: true, mode: 0o700 })
    const page = await writePage(folder, versionOf(upload), () => pageOf(database, upload)).catch((error: unknown) => {
      if (error instanceof Deleted) return null
      throw error
    })
    if (page) pages.push({ ...page, file: citedFile(upload) })
  }
  if (uploads.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeManifest(folder, { hash: hash('sha256', JSON.stringify(pages)), pages }).catch((error: NodeJS.ErrnoException) => {
    // Nothing was ever uploaded.
    if (error.code !== 'ENOENT') throw error
  })
  return uploads
}

/** A document was deleted since the list was read; the next look sees it. */
class Deleted extends Error {}

async function pageOf(database: Database, upload: Upload): Promise<string> {
  const document = await readDocument(database, upload.id, upload.version)
  if (document === undefined) throw new Deleted()
  const { title, ...rest } = JSON.parse(document) as { title: string | null }
  return JSON.stringify({ ...rest, title: upload.title ?? title, asOf: upload.asOf })
}

function versionOf({ id, version, hash: content, title, asOf }: Upload): string {
  return hash('sha256', JSON.stringify([id, version, content, title, asOf]))
}
