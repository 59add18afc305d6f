import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { KnowledgeFile, OnProblem } from './list-files.ts'

/** Name of the file that lists the pages of a source's folder. */
export const MANIFEST = 'manifest.json'
/** Id of the source that is the documents which staff have uploaded. */
export const UPLOADS_SOURCE = 'uploads'

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
  if (directory === null) return files
  const ids: string[] = await readdir(directory).catch(() => [])
  for (const id of ids.toSorted()) {
    const folder = join(directory, id)
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
