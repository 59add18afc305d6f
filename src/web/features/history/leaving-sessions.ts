import { create } from 'zustand'
import { deleteSession } from '../../api/calls.ts'
import { failureSentence } from '../../api/failure.ts'
import { say } from '../../language/say.ts'
import { changes } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { forgetStoredSession, readStoredSession } from '../../state/stored-session.ts'
import { notify } from '../../ui/notification.tsx'

/** So long a deletion can be taken back. Until then the chat is only hidden, here in this tab. */
const UNDO_MS = 6_000

interface Leaving {
  key: string
  title: string
}

/** What is about to be deleted, by key. */
export const useLeavingSessions = create<ReadonlyMap<string, Leaving>>(() => new Map())

/** Deletes a session in a moment, unless that is taken back: then `onUndone` is called. */
export function deleteWithUndo(session: Leaving, onUndone: () => void): void {
  const { key, title } = session
  change((leaving) => leaving.set(key, session))
  const timer = setTimeout(() => {
    erase(session).catch(console.error)
  }, UNDO_MS)
  const undo = () => {
    if (!useLeavingSessions.getState().has(key)) return
    clearTimeout(timer)
    change((leaving) => leaving.delete(key))
    onUndone()
  }
  notify({
    message: say('“{title}” is about to be deleted.', { title }),
    timeout: UNDO_MS,
    actions: [{ label: say('Undo'), act: undo }],
  })
}

/** Those of which the server has been told. */
const told = new WeakSet<Leaving>()

async function erase(session: Leaving): Promise<void> {
  if (told.has(session)) return
  told.add(session)
  const { key, title } = session
  const outcome = await deleteSession(key)
  if (!outcome.ok && outcome.code !== 'not_found') {
    change((leaving) => leaving.delete(key))
    return notify({ message: `${say('“{title}” was not deleted.', { title })} ${failureSentence(outcome.code)}`, type: 'error' })
  }
  if (readStoredSession(key)) forgetStoredSession()
  changes.sessionDeleted(key)
  change((leaving) => leaving.delete(key))
  const receipt = outcome.ok ? [{ label: say('Receipt'), act: () => showMyData({ kind: 'receipt', reply: outcome.value }) }] : []
  notify({ message: say('“{title}” is deleted.', { title }), type: 'success', actions: receipt })
}

function change(act: (leaving: Map<string, Leaving>) => unknown): void {
  const leaving = new Map(useLeavingSessions.getState())
  act(leaving)
  useLeavingSessions.setState(leaving, true)
}

// Who closes the page will not take it back.
addEventListener('pagehide', () => {
  for (const session of useLeavingSessions.getState().values()) erase(session).catch(console.error)
})
