import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { KnowledgeFile, OnProblem } from './list-files.ts'

/** Name of the file that lists the pages of a source's folder. */
export const MANIFEST = 'manifest.json'
/** Id of the source that is the documents which staff have uploaded. */
export const UPLOADS_SOURCE = 'uploads'
/** From this size on, a manifest lists so many pages that they are searched in a thread. */
const MAX_SMALL_BYTES = 20_000
/** Pages of more bytes together are searched in a thread. */
const MAX_BYTES_HERE = 1024 * 1024

/** The pages of a website, or the uploaded documents, that answer. */
export const SourceManifest = z.strictObject({
  hash: z.string(),
  pages: z.array(
    z.strictObject({
      /** `source:`, the source's id, and the page's address without its scheme, or the document's name. */
      file: z.string(),
      path: z.string().regex(/^[0-9a-f]{40}\.page$/),
      size: z.int(),
      /** Changes with the page. */
      version: z.int(),
    }),
  ),
})
export type SourceManifest = z.infer<typeof SourceManifest>

export function sourcesDirectoryOf(dataDirectory: string): string {
  return join(dataDirectory, 'knowledge', 'sources')
}

/** The pages of all websites, as files of the knowledge. A folder without a valid manifest is reported. */
export async function listSourcePages(directory: string | null, onProblem: OnProblem): Promise<KnowledgeFile[]> {
  const files: KnowledgeFile[] = []
  for (const id of await sourcesIn(directory)) {
    const folder = join(directory ?? '', id)
    try {
      const { pages } = SourceManifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
      // `version` stands for the time of the last change.
      for (const { file, path, size, version } of pages) files.push({ path: join(folder, path), file, size, mtimeMs: version })
    } catch (error) {
      // It is written last.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(`source:${id}: skipped. Its list of pages cannot be read.`)
    }
  }
  return files
}

export async function hasManyPages(directory: string | null): Promise<boolean> {
  let bytes = 0
  for (const id of await sourcesIn(directory))
    bytes += await stat(join(directory ?? '', id, MANIFEST)).then(
      ({ size }) => size,
      () => 0,
    )
  if (bytes > MAX_SMALL_BYTES) return true
  const pages = await listSourcePages(directory, () => {})
  return pages.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES_HERE
}

async function sourcesIn(directory: string | null): Promise<string[]> {
  const ids: string[] = directory === null ? [] : await readdir(directory).catch(() => [])
  return ids.toSorted()
}
