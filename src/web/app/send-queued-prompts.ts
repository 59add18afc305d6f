import { sendPrompt } from '../api/calls.ts'
import { leave, reload, retry } from '../features/chat/chat-actions.ts'
import { withFilesSent } from '../features/chat/composer/upload-pending-files.ts'
import { cacheUploadsOf, restoreUploadsOf } from '../features/offline/offline-uploads.ts'
import { removeQueuedPrompt, queuePrompt, readQueuedPrompts, type QueuedPrompt } from '../features/offline/queued-prompts.ts'
import { MAX_TITLE_CHARACTERS } from '../../contract/size-limits.ts'
import { filesOf } from '../../contract/parts/file.ts'
import { type ApplicationState, changes, type ChatSession, type Unsent, useApplication } from '../state/application-store.ts'
import { heldFile } from '../state/pending-files.ts'
import { useConfiguration } from '../state/configuration.ts'

/** The waiting prompt of the open chat, if it has one. */
let open: { id: string; session: string } | null = null
let isSending = false

/** From now on keeps prompts that are written without a connection, shows them as waiting, and sends them when it is back. */
export function startSendingQueuedPrompts(): void {
  useApplication.subscribe((now, before) => {
    if (now.currentSession !== before.currentSession || now.connection !== before.connection) look(now).catch(console.error)
  })
  const send = () => {
    sendAll().catch(console.error)
  }
  addEventListener('online', send)
  showWaiting(useApplication.getState()).then(send).catch(console.error)
}

/** The prompt of the open chat that the server is not known to have. */
function unsentOf(session: ChatSession | null): Unsent | null {
  if (session?.answer.status === 'sending') return session.answer.unsent
  return session?.answer.status === 'refused' && 'prompt' in session.answer.retry ? session.answer.retry : null
}

async function look(state: ApplicationState): Promise<void> {
  const { currentSession: session, isTemporary, isSharedComputer } = state
  const unsent = unsentOf(session)
  if (open && unsent?.id !== open.id) {
    const { id } = open
    const isSettled = session?.key === open.session
    open = null
    // Sent, or taken back; a chat that was left keeps what waits in it.
    if (isSettled) await removeQueuedPrompt(id)
  }
  if (open && session) open.session = session.key
  if (session?.answer.status === 'refused' && session.answer.code === 'offline' && unsent && !isTemporary && !isSharedComputer) {
    open = { id: unsent.id, session: session.key }
    const waiting = waitingOf(session, unsent, state)
    await queuePrompt(waiting)
    await cacheUploadsOf(waiting)
    if (unsentOf(useApplication.getState().currentSession)?.id === unsent.id) changes.answerRefused(session.key, 'waiting', unsent)
    // It was taken back meanwhile, or the chat was left, and it is a draft.
    else await removeQueuedPrompt(unsent.id)
  } else if (!unsent) await showWaiting(state)
}

function waitingOf({ key, messages }: ChatSession, unsent: Unsent, { chatSessions }: ApplicationState): QueuedPrompt {
  const agent = useConfiguration.getState()?.agent.id ?? 'me'
  const isNewChat = messages.length === 1 && !chatSessions.some((session) => session.key === key)
  const files = filesOf(messages.at(-1)!)
  const thumbnails = Object.fromEntries(files.flatMap(({ url }) => (heldFile(url)?.thumbnail ? [[url, heldFile(url)!.thumbnail!]] : [])))
  return { unsent, files, thumbnails, session: key, isNewChat, agent, writtenAt: Date.now() }
}

/** Shows in a chat that was opened what waits in it. A chat that the server does not know yet stands where a new one would, after a reload. */
async function showWaiting({ currentSession: session, connection }: ApplicationState): Promise<void> {
  if (session && !isSettledDown(session, connection)) return
  const waiting = await readQueuedPrompts(Date.now())
  const prompt = session
    ? waiting.find((other) => other.session === session.key)
    : hasShownNew
      ? undefined
      : waiting.findLast(({ isNewChat }) => isNewChat)
  if (!session) hasShownNew = true
  if (prompt) await restoreUploadsOf(prompt)
  if (!prompt || useApplication.getState().currentSession !== session) return
  const { unsent, session: key } = prompt
  open = { id: unsent.id, session: key }
  // What is still tried for the chat would come in between.
  leave()
  changes.promptAppended(
    key,
    { id: unsent.id, role: 'user', parts: [...prompt.files, { type: 'text', text: unsent.prompt }] },
    session?.title ?? unsent.prompt.slice(0, MAX_TITLE_CHARACTERS),
  )
  changes.answerRefused(key, 'waiting', unsent)
  if (navigator.onLine) await sendAll()
}

/** Whether what is shown of a chat is what there is to show for now: all, or what this tab had of it while the server can't be reached. */
function isSettledDown({ answer, messages }: ChatSession, connection: ApplicationState['connection']): boolean {
  return answer.status === 'none' || (answer.status === 'opening' && messages.length > 0 && connection === 'restoring')
}

/** Once, or every new chat would begin with it. */
let hasShownNew = false

/** Sends what waits: in the open chat, where the answer is followed, and in others, where it is found when they are opened. */
async function sendAll(): Promise<void> {
  if (isSending || !navigator.onLine) return
  isSending = true
  try {
    const { currentSession } = useApplication.getState()
    const shown = currentSession?.answer.status === 'refused' && currentSession.answer.code === 'waiting' && unsentOf(currentSession)
    for (const prompt of await readQueuedPrompts(Date.now())) {
      if (prompt.unsent.id !== (shown || open)?.id) await sendApart(prompt)
    }
    if (shown) await sendShown(shown)
  } finally {
    isSending = false
  }
}

/** The prompt of the open chat, whose files are of the server's from then on. */
async function sendShown(unsent: Unsent): Promise<void> {
  const key = useApplication.getState().currentSession!.key
  const ready = await withFilesSent(unsent, new AbortController().signal)
  if (!ready.ok) return ready.code === 'offline' ? undefined : changes.answerRefused(key, ready.code, unsent)
  await retry(ready.value)
  const { currentSession } = useApplication.getState()
  if (ready.value !== unsent && currentSession?.answer.status === 'none') await reload(currentSession.key)
}

/** The server goes on with the answer when nobody follows it. What it did not take stays until its chat is opened. */
async function sendApart(prompt: QueuedPrompt): Promise<void> {
  const { session, agent } = prompt
  const reading = new AbortController()
  await restoreUploadsOf(prompt)
  const ready = await withFilesSent(prompt.unsent, reading.signal)
  if (!ready.ok) return console.error(`The files of a waiting prompt were not sent: ${ready.code}`)
  const unsent = ready.value
  // Sent once more, it is to be the same.
  if (unsent !== prompt.unsent) await queuePrompt({ ...prompt, unsent })
  // Without its place in the queue, the reply begins when the prompt is taken.
  const outcome = await sendPrompt(agent, session, unsent, {}, reading.signal, { Prefer: '' })
  if (!outcome.ok) return console.error(`A waiting prompt was not sent: ${outcome.code}`)
  reading.abort()
  await removeQueuedPrompt(unsent.id)
}
