import { customAlphabet } from 'nanoid'
import type { FilePart } from '../../../contract/chat/parts/file.ts'
import type { SessionSummary } from '../../../contract/chat/sessions.ts'
import type { FailureCode } from '../../api/failure.ts'
import { changes, chatEvents, useApplication } from '../../state/application-store.ts'
import type { ChatEvent } from '../../state/chat-machine/chat-event.ts'
import { type ChatSession, newSession, promptMessage, type Retry, unsentOf } from '../../state/chat-session.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { draftOf, dropDraft, NEW_CHAT, openDraftKey, prependDraft } from '../../state/drafts.ts'
import { readStoredAgent, readStoredSession, storeSession } from '../../state/stored-session.ts'
import { type ChatListener, chatListener } from './chat-listener.ts'
import type * as Chat from './effects/chat.ts'
import { LETTERS_AND_DIGITS, SESSION_ID_LENGTH } from '../../../contract/size-limits.ts'

/** The chat machine and its effects; loaded with the first letter of the first prompt, or with the first chat that is opened. */
let chat: typeof Chat | null = null

export async function loadChat(): Promise<typeof Chat> {
  chat ??= await import('./effects/chat.ts')
  return chat
}

/** Reduces an event at once, or as soon as the machine is loaded. If it can't be loaded, shows the chat that `sessionOf` describes. */
function dispatch(event: ChatEvent, sessionOf?: (code: FailureCode) => ChatSession): void {
  if (chat) return chatEvents.dispatch(event)
  loadChat().then(
    () => chatEvents.dispatch(event),
    (error: unknown) => {
      console.error(error)
      if (sessionOf) changes.chatChanged(sessionOf(navigator.onLine ? 'network' : 'offline'))
    },
  )
}

export function subscribeToChat(listener: Partial<ChatListener>): void {
  Object.assign(chatListener, listener)
}

/** Puts a text into the message box, for the visitor to change and send. */
export function fillIn(text: string): void {
  prependDraft(openDraftKey(useApplication.getState().currentSession), { text, files: [] })
  chatListener.draftGiven()
}

/** Puts a starter into the message box, in place of another starter there. */
export function fillInStarter(starter: string): void {
  const { starters = [] } = useConfiguration.getState()?.agent ?? {}
  if (starters.includes(draftOf(NEW_CHAT).text)) dropDraft(NEW_CHAT)
  fillIn(starter)
}

export const storeDrafts = (): void => chat?.storeDrafts()

export function storeCurrent(): void {
  const { currentSession } = useApplication.getState()
  if (currentSession) storeSession(currentSession)
}

/** Leaves the open session; the next prompt begins a new one. */
export function newChat(): void {
  changes.temporaryChanged(false)
  if (chat) chatEvents.dispatch({ type: 'chat-closed' })
  else changes.chatChanged(null)
}

/** Opens a session of the visitor, and follows its answer if one is running. */
export const openSession = (key: string): void =>
  dispatch({ type: 'session-opened', key, cached: readStoredSession(key), agent: readStoredAgent(key) }, () => ({
    key,
    title: '',
    messages: [],
    answer: { status: 'opening' },
  }))

/** Brings the open session up to date with the list, unless an answer is pending. */
export const syncOpenSession = ({ key, updatedAt, runningTurn }: Pick<SessionSummary, 'key' | 'updatedAt' | 'runningTurn'>): void =>
  chatEvents.dispatch({ type: 'session-listed', key, updatedAt, runningTurn })

/** Sends a prompt in the open session, or in a new one, once the visitor has decided about personal data in it. Failures are shown at the message. */
export function send(prompt: string, files: readonly FilePart[] = []): void {
  const { acceptsPrivacyPolicy, isTemporary, currentSession } = useApplication.getState()
  if (!acceptsPrivacyPolicy) return
  const [key, id] = [newSessionKey(), crypto.randomUUID()]
  const submit = (reviewed: string) =>
    dispatch({ type: 'prompt-submitted', key, id, prompt: reviewed, files, isTemporary }, (code) => {
      const message = promptMessage(id, reviewed, files)
      return { ...newSession(key, message, { status: 'rejected', code, retry: unsentOf(message) }), isTemporary }
    })
  review(currentSession?.key ?? key, prompt, submit, ({ restoreDraft }) => {
    const message = promptMessage(id, prompt, files)
    restoreDraft(openDraftKey(useApplication.getState().currentSession), unsentOf(message), message)
    chatListener.draftGiven()
  })
}

/** Sends a prompt as another version of the one with this message id. `edit` is called if the visitor wants to change it first. */
export function sendEdited(edits: string, prompt: string, edit: () => void): void {
  const key = openDraftKey(useApplication.getState().currentSession)
  review(key, prompt, (reviewed) => dispatch({ type: 'edit-submitted', id: crypto.randomUUID(), edits, prompt: reviewed }), edit)
}

function review(key: string, prompt: string, submit: (reviewed: string) => void, edit: (loaded: typeof Chat) => void): void {
  const begin = (loaded: typeof Chat) => loaded.reviewPrompt(key, prompt, { send: submit, edit: () => edit(loaded) })
  if (chat) return begin(chat)
  // Without the code, nothing can be sent; this shows why.
  loadChat()
    .then(begin, () => submit(prompt))
    .catch(console.error)
}

export const regenerate = (answer: string): void => dispatch({ type: 'regenerate-requested', id: crypto.randomUUID(), answer })

/** Shows another version of a message, and what followed it. */
export const showVersion = (message: string): void => dispatch({ type: 'version-chosen', message })

/** Makes a failed request of the open session again, or continues an answer. */
export const retry = (wanted: Retry): void => dispatch({ type: 'retry-requested', id: crypto.randomUUID(), retry: wanted })

export const stop = (): void => dispatch({ type: 'stop-requested' })

/** Moves a prompt that was refused back into the message box: the last one, or the one with this id that others follow. */
export const withdrawPrompt = (id?: string): void => dispatch({ type: 'prompt-withdrawn', id })

const newSessionKey = customAlphabet(LETTERS_AND_DIGITS, SESSION_ID_LENGTH)
