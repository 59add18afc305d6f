import { formatOf } from '../ingestion/extract/extract.ts'
import { listFiles } from './list-files.ts'
import { listSourcePages, sourcesDirectoryOf } from './list-source-pages.ts'

/** Up to this size, a search takes well under a millisecond, and a worker would cost 30 MB. */
const MAX_BYTES = 1024 * 1024
const MAX_FILES = 200

/** Whether a knowledge folder, with its pages of websites, is too large to be indexed without a worker. */
export async function isLarge({ directory, dataDirectory }: { directory: string; dataDirectory: string | null }): Promise<boolean> {
  const pages = await listSourcePages(dataDirectory && sourcesDirectoryOf(dataDirectory), () => {})
  const files = await listFiles(directory, () => {})
  const all = [...files, ...pages]
  const bytes = all.reduce((sum, { size }) => sum + size, 0)
  return bytes > MAX_BYTES || all.length > MAX_FILES || files.some(({ file }) => formatOf(file)?.isHeavy)
}
