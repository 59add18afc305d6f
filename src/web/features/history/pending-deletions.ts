import { create } from 'zustand'
import { deleteSession } from '../../api/calls.ts'
import { failureSentence } from '../../api/failure.ts'
import { t } from '../../../ui/language/translate.ts'
import { changes } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { forgetValues } from '../../state/personal-values.ts'
import { forgetStoredSession, readStoredSession } from '../../state/stored-session.ts'
import { notify } from '../../../ui/notification.tsx'

/** Time to undo a deletion. Until then the chat is only hidden in this tab. */
const UNDO_MS = 6_000

interface PendingDeletion {
  key: string
  title: string
}

export const usePendingDeletions = create<ReadonlyMap<string, PendingDeletion>>(() => new Map())

/** Undo functions of pending deletions, newest last. */
const undos = new Set<() => void>()

/** Deletes a session after `UNDO_MS`, unless undone: then it calls `onUndone`. */
export function deleteWithUndo(session: PendingDeletion, onUndone: () => void): void {
  const { key } = session
  change((leaving) => leaving.set(key, session))
  const timer = setTimeout(() => {
    undos.delete(undo)
    erase(session).catch(console.error)
  }, UNDO_MS)
  const undo = () => {
    if (!undos.delete(undo)) return
    clearTimeout(timer)
    dismiss()
    change((leaving) => leaving.delete(key))
    onUndone()
  }
  undos.add(undo)
  const dismiss = notify({
    message: t('Chat deleted'),
    timeout: UNDO_MS,
    cause: causeOf(session),
    actions: [{ label: t('Undo'), act: undo }],
  })
}

/** Deletions sent to the server. */
const notified = new WeakSet<PendingDeletion>()

async function erase(session: PendingDeletion): Promise<void> {
  if (notified.has(session)) return
  notified.add(session)
  const { key, title } = session
  const outcome = await deleteSession(key)
  if (!outcome.ok && outcome.code !== 'not_found') {
    change((leaving) => leaving.delete(key))
    const message = `${t('“{title}” wasn’t deleted.', { title })} ${failureSentence(outcome.code)}`
    notify({ message, type: 'error', cause: causeOf(session) })
    return
  }
  forgetValues(key)
  if (readStoredSession(key)) forgetStoredSession()
  changes.sessionDeleted(key)
  change((leaving) => leaving.delete(key))
  const receipt = outcome.ok ? [{ label: t('Receipt'), act: () => showMyData({ kind: 'receipt', reply: outcome.value }) }] : []
  const message = t('“{title}” was permanently deleted.', { title })
  notify({ message, type: 'success', actions: receipt, cause: causeOf(session) })
}

/** One notification at a time tells about a deletion. */
const causeOf = ({ key }: PendingDeletion): string => `deletion of ${key}`

function change(act: (leaving: Map<string, PendingDeletion>) => unknown): void {
  const leaving = new Map(usePendingDeletions.getState())
  act(leaving)
  usePendingDeletions.setState(leaving, true)
}

// The Undo button is far away by keyboard. In text fields the shortcut undoes typing.
addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event
  const undo = [...undos].at(-1)
  if (!undo || key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return
  if (target instanceof Element && target.matches('input, textarea')) return
  event.preventDefault()
  undo()
})

// Closing the page confirms pending deletions.
addEventListener('pagehide', () => {
  for (const session of usePendingDeletions.getState().values()) erase(session).catch(console.error)
})
