import type { ChatMessage } from '../../contract/message.ts'
import { type FilePart, filesOf } from '../../contract/parts/file.ts'
import { tabStorage } from '../storage/storage.ts'
import { useApplication } from './application-store.ts'
import type { ChatSession, Unsent } from './chat-session.ts'
import {
  type Attachment,
  type Draft,
  draftOf,
  DRAFTS_KEY,
  dropDraft,
  moveDraft,
  NEW_CHAT,
  openDraftKey,
  prependDraft,
  useDrafts,
  mergeDrafts,
} from './drafts.ts'
import { isLocal } from './pending-files.ts'

/** Size of all stored drafts, in UTF-16 code units. */
const MAX_STORED_CHARACTERS = 500_000

/**
 * Stores the drafts for a reload of this tab, that of the open chat with its unsent prompt. Stores none on a shared computer, and none of a
 * temporary chat.
 */
export function storeDrafts(): void {
  const { currentSession, isTemporary, isSharedComputer } = useApplication.getState()
  if (isSharedComputer) return
  const drafts = new Map(useDrafts.getState().drafts)
  const open = openDraftKey(currentSession)
  const written = draftOf(open)
  drafts.delete(open)
  if (!isTemporary) {
    const unsent = currentSession && unsentDraft(currentSession)
    drafts.set(lastingKey(currentSession), unsent ? mergeDrafts(unsent, written) : written)
  }
  store(drafts)
}

/** Restores the drafts of this tab after a reload. */
export function restoreDrafts(): void {
  try {
    const stored = JSON.parse(tabStorage.getItem(DRAFTS_KEY) ?? '[]') as [string, Draft][]
    for (const [key, draft] of stored) prependDraft(key, draft)
  } catch (error) {
    console.error(error)
  }
}

/** Saves the refused prompt of a chat that is left as its draft; as the draft of the next new chat if the server does not have the chat. */
export function saveUnsent(session: ChatSession): void {
  if (session.isTemporary) return dropDraft(session.key)
  const unsent = session.answer.status === 'rejected' ? unsentDraft(session) : null
  if (unsent) prependDraft(session.key, unsent)
  if (lastingKey(session) === NEW_CHAT) moveDraft(session.key, NEW_CHAT)
}

/** Puts a prompt that was not sent back into its chat's draft, with the files of its message. */
export const restoreDraft = (key: string, unsent: Unsent, message: ChatMessage | undefined): void =>
  prependDraft(key, draftFrom(unsent, message))

/** The prompt that is not accepted. Prompts in the offline queue are stored there. */
function unsentDraft({ messages, answer }: ChatSession): Draft | null {
  const unsent = unsentOfAnswer(answer)
  return unsent && draftFrom(unsent, messages.at(-1))
}

/** The files of an edited prompt stay with the earlier version. */
const draftFrom = ({ prompt, edits }: Unsent, message: ChatMessage | undefined): Draft => ({
  text: prompt,
  files: edits || !message ? [] : filesOf(message).map(attachmentOf),
})

function unsentOfAnswer(answer: ChatSession['answer']): Unsent | null {
  if (answer.status === 'sending') return answer.unsent
  return answer.status === 'rejected' && answer.code !== 'waiting' && 'prompt' in answer.retry ? answer.retry : null
}

const attachmentOf = (part: FilePart): Attachment => ({
  id: part.url,
  name: part.filename ?? '',
  status: 'stored',
  part,
  isCut: false,
})

/** The key that leads to a chat's draft after a reload: until the server has the chat, that of a new one. */
function lastingKey(session: ChatSession | null): string {
  if (!session) return NEW_CHAT
  const { key, messages, answer } = session
  const isStored = answer.status === 'opening' || answer.status === 'unavailable' || messages.some(({ id }) => id.startsWith('m_'))
  return isStored ? key : NEW_CHAT
}

/** Stores the drafts changed last, up to the limit. */
function store(drafts: ReadonlyMap<string, Draft>): void {
  let room = MAX_STORED_CHARACTERS
  const stored = [...drafts]
    .filter(([, { text, files }]) => text || files.length > 0)
    .map(([key, { text, files }]) => [key, { text, files: files.flatMap(whenStored) }] as const)
    .reverse()
    .filter(([, { text }]) => (room -= text.length) >= 0)
    .reverse()
  try {
    if (stored.length > 0) tabStorage.setItem(DRAFTS_KEY, JSON.stringify(stored))
    else tabStorage.removeItem(DRAFTS_KEY)
  } catch (error) {
    console.error(error)
    tabStorage.removeItem(DRAFTS_KEY)
  }
}

const whenStored = ({ thumbnail: _drawn, ...file }: Attachment) => (file.status === 'stored' && !isLocal(file.part.url) ? [file] : [])
