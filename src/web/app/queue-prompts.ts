import { sendPrompt } from '../api/calls.ts'
import { loadChat } from '../features/chat/chat-actions.ts'
import { cacheUploadsOf, restoreUploadsOf } from '../features/offline/offline-uploads.ts'
import { type QueuedPrompt, readQueuedPrompts, removeQueuedPrompt, queuePrompt } from '../features/offline/queued-prompts.ts'
import { filesOf } from '../../contract/parts/file.ts'
import { chatEvents, useApplication } from '../state/application-store.ts'
import type { QueueEffect } from '../state/chat-machine/chat-effect.ts'
import { useConfiguration } from '../state/configuration.ts'
import { pendingFile } from '../state/pending-files.ts'

/** Stores prompts that can't be sent offline, shows them in their chats, and sends them when the network is back. */
export async function startQueueingPrompts(): Promise<void> {
  const { handleQueueEffects } = await loadChat()
  handleQueueEffects(runQueueEffect)
  addEventListener('online', () => chatEvents.dispatch({ type: 'network-restored' }))
  chatEvents.dispatch({ type: 'queue-enabled' })
}

async function runQueueEffect(effect: QueueEffect): Promise<void> {
  switch (effect.type) {
    case 'store-queued-prompt':
      return store(effect)
    case 'remove-queued-prompt':
      return void (await removeQueuedPrompt(effect.id))
    case 'search-queue':
      return search(effect.key)
    case 'flush-queue':
      return flush(effect.exceptId)
  }
}

async function store({ session, unsent }: Extract<QueueEffect, { type: 'store-queued-prompt' }>): Promise<void> {
  const { chatSessions, isSharedComputer } = useApplication.getState()
  if (isSharedComputer) return
  const files = filesOf(session.messages.at(-1)!)
  const prompt: QueuedPrompt = {
    unsent,
    files,
    thumbnails: Object.fromEntries(
      files.flatMap(({ url }) => {
        const thumbnail = pendingFile(url)?.thumbnail
        return thumbnail ? [[url, thumbnail]] : []
      }),
    ),
    session: session.key,
    isNewChat: session.messages.length === 1 && !chatSessions.some(({ key }) => key === session.key),
    agent: useConfiguration.getState()?.agent.id ?? 'me',
    writtenAt: Date.now(),
  }
  await queuePrompt(prompt)
  await cacheUploadsOf(prompt)
  chatEvents.dispatch({ type: 'prompt-queued', id: unsent.id })
}

/** Finds the queued prompt of a session; without a key, the last one that begins a chat. */
async function search(key: string | null): Promise<void> {
  const queued = await readQueuedPrompts(Date.now())
  const found = key === null ? queued.findLast(({ isNewChat }) => isNewChat) : queued.find(({ session }) => session === key)
  if (found) await restoreUploadsOf(found)
  chatEvents.dispatch({ type: 'queue-searched', key, found: found ?? null })
}

async function flush(exceptId: string | undefined): Promise<void> {
  if (navigator.onLine) {
    for (const prompt of await readQueuedPrompts(Date.now())) {
      if (prompt.unsent.id !== exceptId) await sendInBackground(prompt).catch(console.error)
    }
  }
  chatEvents.dispatch({ type: 'queue-flushed', isOnline: navigator.onLine })
}

/** Sends a prompt of a chat that is not open. Its answer is not followed; a prompt that is rejected stays queued until its chat is opened. */
async function sendInBackground(prompt: QueuedPrompt): Promise<void> {
  const { session, agent } = prompt
  const reading = new AbortController()
  await restoreUploadsOf(prompt)
  const { withFilesUploaded } = await loadChat()
  const uploaded = await withFilesUploaded(prompt.unsent, reading.signal)
  if (!uploaded.ok) return console.error(`Uploading the files of a queued prompt failed (${uploaded.code}); it stays queued`)
  const unsent = uploaded.value
  // A repeated request must name the same files.
  if (unsent !== prompt.unsent) await queuePrompt({ ...prompt, unsent })
  // Without a queue position, the reply begins when the prompt is accepted.
  const outcome = await sendPrompt(agent, session, unsent, {}, reading.signal, { Prefer: '' })
  if (!outcome.ok) return console.error(`Sending a queued prompt failed (${outcome.code}); it stays queued`)
  reading.abort()
  await removeQueuedPrompt(unsent.id)
}
