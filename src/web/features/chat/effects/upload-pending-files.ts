import { sendFile } from '../../../api/file-calls.ts'
import type { Outcome } from '../../../api/request.ts'
import { useApplication } from '../../../state/application-store.ts'
import type { Unsent } from '../../../state/chat-session.ts'
import { pendingFile } from '../../../state/pending-files.ts'

/** Uploads all files of a prompt again. Fails with `file_unknown` if the page does not have them all; rejects when the signal aborts. */
export async function withFilesUploaded(unsent: Unsent, signal: AbortSignal): Promise<Outcome<Unsent>> {
  const ids = unsent.attachments ?? []
  const files = ids.flatMap((id) => pendingFile(id) ?? [])
  if (files.length === 0 || files.length < ids.length) return { ok: false, code: 'file_unknown' }
  const isShared = useApplication.getState().isSharedComputer
  const attachments: string[] = []
  // One at a time: the first file of a new visitor creates the visitor.
  for (const { name, content } of files) {
    const outcome = await sendFile(name, content, { isShared, onProgress() {}, signal })
    if (!outcome.ok) return outcome
    attachments.push(outcome.value.id)
  }
  return { ok: true, value: { ...unsent, attachments } }
}
