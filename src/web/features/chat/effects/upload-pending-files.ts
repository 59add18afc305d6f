import type { StoredFile } from '../../../../contract/files.ts'
import { sendFile } from '../../../api/file-calls.ts'
import type { Outcome } from '../../../api/request.ts'
import { useApplication } from '../../../state/application-store.ts'
import type { Unsent } from '../../../state/chat-session.ts'
import { type PendingFile, pendingFile, isLocal } from '../../../state/pending-files.ts'

/** Uploads the files of a prompt that the server does not have yet. Rejects when the signal aborts. */
export const withFilesUploaded = (unsent: Unsent, signal: AbortSignal) => sent(unsent, signal, isLocal)

/** Uploads all files of a prompt again, which the server no longer has; `null` if the page does not have them all. */
export function withFilesUploadedAgain(unsent: Unsent, signal: AbortSignal): Promise<Outcome<Unsent>> | null {
  const ids = unsent.attachments ?? []
  return ids.length > 0 && ids.every(pendingFile) ? sent(unsent, signal, () => true) : null
}

async function sent(unsent: Unsent, signal: AbortSignal, isWanted: (id: string) => boolean): Promise<Outcome<Unsent>> {
  if (!unsent.attachments?.some(isWanted)) return { ok: true, value: unsent }
  const attachments: string[] = []
  // One at a time: the first file of a new visitor creates the visitor.
  for (const id of unsent.attachments) {
    const file = pendingFile(id)
    const outcome = isWanted(id) ? await sendHeld(file, signal) : null
    if (outcome && !outcome.ok) return outcome
    attachments.push(outcome?.value.id ?? id)
  }
  return { ok: true, value: { ...unsent, attachments } }
}

async function sendHeld(file: PendingFile | undefined, signal: AbortSignal): Promise<Outcome<StoredFile>> {
  if (!file) return { ok: false, code: 'file_unknown' }
  const isShared = useApplication.getState().isSharedComputer
  return sendFile(file.name, file.content, { isShared, onProgress() {}, signal })
}
