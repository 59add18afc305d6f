import { pendingFile, addPendingFile, isLocal } from '../../state/pending-files.ts'
import { putAttached, readContent } from './offline-store.ts'
import { pathOfPrompt, type QueuedPrompt } from './queued-prompts.ts'

const FOLDER = '/offline/uploads/'
const LIMITS = { maxEntries: 16, maxBytes: 32 * 1024 * 1024 }

const localFilesOf = ({ files }: QueuedPrompt) => files.filter(({ url }) => isLocal(url))

/** Stores the files of a queued prompt. They are removed with it. */
export async function cacheUploadsOf(prompt: QueuedPrompt): Promise<void> {
  for (const { url } of localFilesOf(prompt)) {
    const file = pendingFile(url)
    if (file) await putAttached(pathOfPrompt(prompt.unsent.id), FOLDER, url, new Response(file.content), LIMITS)
  }
}

/** Loads stored files into memory for sending. */
export async function restoreUploadsOf(prompt: QueuedPrompt): Promise<void> {
  for (const { url, filename = '' } of localFilesOf(prompt)) {
    const content = pendingFile(url) ? undefined : await readContent(FOLDER + url)
    if (content) addPendingFile(url, { name: filename, content, thumbnail: prompt.thumbnails[url] })
  }
}
