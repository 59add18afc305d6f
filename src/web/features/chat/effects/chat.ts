import { changes, chatEvents, useApplication } from '../../../state/application-store.ts'
import { ChatMachine } from '../../../state/chat-machine/chat-machine.ts'
import { readStoredAgent, readStoredSession } from '../../../state/stored-session.ts'
import { runEffect } from './run-effect.ts'

export { reviewPrompt } from './review-prompt.tsx'
export { restoreDraft, storeDrafts } from '../../../state/stored-drafts.ts'

let shown = useApplication.getState().currentSession

const onChange = ({ session }: Pick<ChatMachine['state'], 'session'>): void => {
  if (session === shown) return
  shown = session
  changes.chatChanged(session)
}

const machine = new ChatMachine(runEffect, onChange, shown)

chatEvents.dispatch = machine.dispatch

// The chat was opened when this could not be loaded.
if (shown?.answer.status === 'opening') {
  const { key } = shown
  machine.dispatch({ type: 'session-opened', key, cached: readStoredSession(key), agent: readStoredAgent(key) })
}

// The server deletes a temporary chat when its tab is closed.
addEventListener('pagehide', () => machine.dispatch({ type: 'page-left' }))
