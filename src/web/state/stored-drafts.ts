import type { ChatMessage } from '../../contract/message.ts'
import { type FilePart, filesOf } from '../../contract/parts/file.ts'
import type { FailureCode } from '../api/failure.ts'
import { tabStorage } from '../storage/storage.ts'
import { changes, type ChatSession, type Unsent, useApplication } from './application-store.ts'
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
  withBefore,
} from './drafts.ts'
import { isLocal } from './pending-files.ts'

/** What is kept of drafts for a reload, in UTF-16 code units. */
const MAX_STORED_CHARACTERS = 500_000

/** Keeps the drafts for a reload of this tab, that of the open chat with what is on its way; on a shared computer none, and of a temporary chat neither. */
export function keepDrafts(): void {
  const { currentSession, isTemporary, isSharedComputer } = useApplication.getState()
  if (isSharedComputer) return
  const drafts = new Map(useDrafts.getState().drafts)
  const open = openDraftKey(currentSession)
  const written = draftOf(open)
  drafts.delete(open)
  if (!isTemporary) {
    const unsent = currentSession && unsentDraft(currentSession)
    drafts.set(lastingKey(currentSession), unsent ? withBefore(unsent, written) : written)
  }
  store(drafts)
}

/** Puts back what was written before the reload. */
export function recallDrafts(): void {
  try {
    const stored = JSON.parse(tabStorage.getItem(DRAFTS_KEY) ?? '[]') as [string, Draft][]
    for (const [key, draft] of stored) prependDraft(key, draft)
  } catch (error) {
    console.error(error)
  }
}

/** Leaves what was not accepted in the open chat as its draft; as that of the next new chat, where there will be no other way to it. */
export function keepUnsent(): void {
  const { currentSession: session, isTemporary } = useApplication.getState()
  if (!session) return
  if (isTemporary) return dropDraft(session.key)
  const unsent = session.answer.status === 'refused' ? unsentDraft(session) : null
  if (unsent) prependDraft(session.key, unsent)
  if (lastingKey(session) === NEW_CHAT) moveDraft(session.key, NEW_CHAT)
}

/** Takes a message that was not accepted out of the open chat, into its draft. Files that are gone have to be attached anew. */
export function withdraw(key: string, unsent: Unsent, code?: FailureCode): void {
  const message = useApplication.getState().currentSession?.messages.at(-1)
  changes.promptWithdrawn(key)
  prependDraft(key, draftFrom(unsent, code === 'file_unknown' ? undefined : message))
}

/** What is sent and not accepted. What waits for the connection is kept by itself. */
function unsentDraft({ messages, answer }: ChatSession): Draft | null {
  const unsent = unsentOfAnswer(answer)
  return unsent && draftFrom(unsent, messages.at(-1))
}

/** Files that an edited prompt names stay with the earlier version. */
const draftFrom = ({ prompt, edits }: Unsent, message: ChatMessage | undefined): Draft => ({
  text: prompt,
  files: edits || !message ? [] : filesOf(message).map(attachmentOf),
})

function unsentOfAnswer(answer: ChatSession['answer']): Unsent | null {
  if (answer.status === 'sending') return answer.unsent
  return answer.status === 'refused' && answer.code !== 'waiting' && 'prompt' in answer.retry ? answer.retry : null
}

const attachmentOf = (part: FilePart): Attachment => ({
  id: part.url,
  name: part.filename ?? '',
  status: 'stored',
  part,
  isCut: false,
})

/** Under which key a draft of this chat is found again: until the server has the chat, nothing else leads back to it. */
function lastingKey(session: ChatSession | null): string {
  if (!session) return NEW_CHAT
  const { key, messages, answer } = session
  const isStored = answer.status === 'opening' || answer.status === 'unavailable' || messages.some(({ id }) => id.startsWith('m_'))
  return isStored ? key : NEW_CHAT
}

/** As many of those changed last as there is room for. */
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
