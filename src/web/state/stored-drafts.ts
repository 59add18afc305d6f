import type { ChatMessage } from '../../contract/chat/message.ts'
import { unmask } from '../../personal-data/unmask.ts'
import { type FilePart, filesOf } from '../../contract/chat/parts/file.ts'
import { readFromTab, storeInTab } from '../../ui/storage/storage.ts'
import { useApplication } from './application-store.ts'
import { type ChatSession, type Unsent, unsentIn } from './chat-session.ts'
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
import { maskText } from './mask-text.ts'
import { valuesOf } from './personal-values.ts'

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

export function restoreDrafts(): void {
  const stored = (readFromTab(DRAFTS_KEY) ?? []) as [string, Draft][]
  for (const [key, draft] of stored) prependDraft(key, { ...draft, text: unmask(draft.text, valuesOf(key)) })
}

/** Saves the refused prompts of a chat that is left as its draft; as the draft of the next new chat if the server does not have the chat. */
export function saveUnsent(session: ChatSession): void {
  if (session.isTemporary) return dropDraft(session.key)
  const unsent = unsentDraft(session.answer.status === 'sending' ? { ...session, answer: { status: 'none' } } : session)
  if (unsent) prependDraft(session.key, unsent)
  if (lastingKey(session) === NEW_CHAT) moveDraft(session.key, NEW_CHAT)
}

/** Puts a prompt that was not sent back into its chat's draft, with the files of its message. */
export const restoreDraft = (key: string, unsent: Unsent, message: ChatMessage | undefined): void =>
  prependDraft(key, draftFrom(key, unsent, message))

/** The prompts that are not accepted. */
function unsentDraft(session: ChatSession): Draft | null {
  const { key, messages, failed = [] } = session
  const drafts = failed.map(({ unsent, message }) => draftFrom(key, unsent, message))
  const unsent = unsentIn(session)
  if (unsent) drafts.push(draftFrom(key, unsent, messages.at(-1)))
  return drafts.length > 0 ? drafts.reduce(mergeDrafts) : null
}

/** With the values of its placeholders. The files of an edited prompt stay with the earlier version. */
const draftFrom = (key: string, { prompt, edits }: Unsent, message: ChatMessage | undefined): Draft => ({
  text: unmask(prompt, valuesOf(key)),
  files: edits || !message ? [] : filesOf(message).map(attachmentOf),
})

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

/** Stores the drafts changed last, masked, up to the limit. */
function store(drafts: ReadonlyMap<string, Draft>): void {
  let room = MAX_STORED_CHARACTERS
  const stored = [...drafts]
    .filter(([, { text, files }]) => text || files.length > 0)
    .map(
      ([key, { text, files }]) =>
        [key, { text: maskText(key, text, true), files: files.filter(({ status }) => status === 'stored') }] as const,
    )
    .reverse()
    .filter(([, { text }]) => (room -= text.length) >= 0)
    .reverse()
  storeInTab(DRAFTS_KEY, stored.length > 0 ? stored : null)
}
