import { formatOf } from '../ingestion/extract/extract.ts'
import { listFiles } from './list-files.ts'
import { hasManyPages, sourcesDirectoryOf } from './list-source-pages.ts'

/** Up to this size, a search takes well under a millisecond, and a worker would cost 30 MB. */
const MAX_BYTES = 1024 * 1024
const MAX_FILES = 200

/** Whether a knowledge folder, with its pages of websites, is too large to be indexed without a worker. */
export async function isLarge({ directory, dataDirectory }: { directory: string; dataDirectory: string | null }): Promise<boolean> {
  if (dataDirectory !== null && (await hasManyPages(sourcesDirectoryOf(dataDirectory)))) return true
  const files = await listFiles(directory, () => {})
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return bytes > MAX_BYTES || files.length > MAX_FILES || files.some(({ file }) => formatOf(file)?.isHeavy)
}
