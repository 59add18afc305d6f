import type { StoredFile } from '../../../../contract/files.ts'
import { sendFile } from '../../../api/file-calls.ts'
import type { Outcome } from '../../../api/request.ts'
import { type Unsent, useApplication } from '../../../state/application-store.ts'
import { type HeldFile, heldFile, isLocal } from '../../../state/pending-files.ts'

/** The prompt with its files at the server: those that waited for the connection are sent first. Rejects when the signal aborts. */
export const withFilesSent = (unsent: Unsent, signal: AbortSignal) => sent(unsent, signal, isLocal)

/** The prompt with its files at the server once more, of which that says it has them no longer; null where the page does not hold them all. */
export function withFilesSentAgain(unsent: Unsent, signal: AbortSignal): Promise<Outcome<Unsent>> | null {
  const ids = unsent.attachments ?? []
  return ids.length > 0 && ids.every(heldFile) ? sent(unsent, signal, () => true) : null
}

async function sent(unsent: Unsent, signal: AbortSignal, isWanted: (id: string) => boolean): Promise<Outcome<Unsent>> {
  if (!unsent.attachments?.some(isWanted)) return { ok: true, value: unsent }
  const attachments: string[] = []
  // One after the other: the first file of a visitor makes the visitor.
  for (const id of unsent.attachments) {
    const file = heldFile(id)
    const outcome = isWanted(id) ? await sendHeld(file, signal) : null
    if (outcome && !outcome.ok) return outcome
    attachments.push(outcome?.value.id ?? id)
  }
  return { ok: true, value: { ...unsent, attachments } }
}

async function sendHeld(file: HeldFile | undefined, signal: AbortSignal): Promise<Outcome<StoredFile>> {
  if (!file) return { ok: false, code: 'file_unknown' }
  const isShared = useApplication.getState().isSharedComputer
  return sendFile(file.name, file.content, { isShared, onProgress() {}, signal })
}
