import { create } from 'zustand'
import type { FilePart } from '../../contract/chat/parts/file.ts'
import { forgetAllValues } from './personal-values.ts'
import { tabStorage } from '../../ui/storage/storage.ts'

/** A file in the message box: being uploaded, rejected, or stored by the server. */
export type Attachment = { id: string; name: string } & (
  | { status: 'sending'; source: File }
  | { status: 'rejected'; why: string; canRetry: boolean; source: File }
  | { status: 'stored'; part: FilePart; isCut: boolean }
)

export interface Draft {
  text: string
  files: readonly Attachment[]
}

/** Key of the draft that begins a new chat. */
export const NEW_CHAT = ''
export const DRAFTS_KEY = 'chat-drafts'
const EMPTY: Draft = { text: '', files: [] }
/** The number of drafts that are remembered: those changed last. */
const MAX_DRAFTS = 50

/** The drafts by session key; the one changed last is last. */
export const useDrafts = create<{ drafts: ReadonlyMap<string, Draft> }>(() => ({ drafts: new Map() }))

export const draftOf = (key: string) => useDrafts.getState().drafts.get(key) ?? EMPTY

export const useDraft = (key: string) => useDrafts(({ drafts }) => drafts.get(key) ?? EMPTY)

export const openDraftKey = (session: { key: string } | null) => session?.key ?? NEW_CHAT

export function changeDraft(key: string, change: Partial<Draft>): void {
  const draft = { ...draftOf(key), ...change }
  const drafts = new Map(useDrafts.getState().drafts)
  drafts.delete(key)
  if (draft.text || draft.files.length > 0) drafts.set(key, draft)
  if (drafts.size > MAX_DRAFTS) drafts.delete([...drafts.keys()][0]!)
  useDrafts.setState({ drafts })
}

export const mergeDrafts = ({ text, files }: Draft, written: Draft): Draft => ({
  text: [text, written.text].filter(Boolean).join('\n'),
  files: [...files, ...written.files],
})

export const storedParts = ({ files }: Draft): FilePart[] => files.flatMap((file) => (file.status === 'stored' ? [file.part] : []))

export const prependDraft = (key: string, draft: Draft) => changeDraft(key, mergeDrafts(draft, draftOf(key)))

export const dropDraft = (key: string) => changeDraft(key, EMPTY)

export function moveDraft(from: string, to: string): void {
  const draft = draftOf(from)
  dropDraft(from)
  prependDraft(to, draft)
}

/** Forgets all drafts, and the values of placeholders. */
export function forgetDrafts(): void {
  forgetAllValues()
  tabStorage.removeItem(DRAFTS_KEY)
  useDrafts.setState({ drafts: new Map() })
}
