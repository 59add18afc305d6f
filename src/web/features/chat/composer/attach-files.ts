import type { FilePart } from '../../../../contract/chat/parts/file.ts'
import type { StoredFile, AcceptedFiles } from '../../../../contract/chat/files.ts'
import { MAX_ATTACHMENTS, MAX_FILE_BYTES, MAX_FILE_NAME_CHARACTERS } from '../../../../contract/size-limits.ts'
import { type FailureCode, failureSentence } from '../../../api/failure.ts'
import { deleteFile, fileAddress, sendFile } from '../../../api/file-calls.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { type Attachment, changeDraft, draftOf, useDrafts } from '../../../state/drafts.ts'
import { prepareImage } from './prepare-image.ts'

const MAX_REPORTED = 3
const MIB = 1024 * 1024

/** Aborts uploads, by attachment id. */
const sending = new Map<string, AbortController>()
/** Uploads run one at a time: the first file of a new visitor creates the visitor. */
let lastSent: Promise<void> = Promise.resolve()

/** Attaches files to a draft and uploads them. A rejected file shows its reason and does not block the others. */
export function attachFiles(chat: string, files: readonly File[], acceptedFiles: AcceptedFiles): void {
  const { files: there } = draftOf(chat)
  const room = MAX_ATTACHMENTS - there.filter(({ status }) => status !== 'rejected').length
  const added = files.slice(0, room + MAX_REPORTED).map((file, index): Attachment => {
    const base = { id: crypto.randomUUID(), name: nameOf(file), source: file }
    const why =
      index < room ? rejectionOf(file, acceptedFiles) : t('You can attach up to {most} files to a message.', { most: MAX_ATTACHMENTS })
    return why ? { ...base, status: 'rejected', why, canRetry: false } : { ...base, status: 'sending' }
  })
  changeDraft(chat, { files: [...there, ...added] })
  for (const { id } of added.filter(({ status }) => status === 'sending')) queue(id)
}

/** Rejections of a file's content or size, which another upload doesn't change. */
const FINAL: readonly (FailureCode | undefined)[] = ['file_unreadable', 'file_too_complex', 'files_not_accepted', 'body_too_large']

export function reattachFile(id: string): void {
  changeAttachment(id, (file) => (file.status === 'rejected' ? { ...file, status: 'sending' } : file))
  queue(id)
}

/** Removes a file from its draft and from the server. */
export function removeAttachment(id: string): void {
  sending.get(id)?.abort()
  changeAttachment(id, (file) => {
    if (file.status === 'stored') discardFile(file.part)
    return null
  })
}

function discardFile({ url }: FilePart): void {
  deleteFile(url.split('/').at(-1) ?? '').catch(console.error)
}

function nameOf({ name }: File): string {
  const characters = name.trim() || t('File')
  if (characters.length <= MAX_FILE_NAME_CHARACTERS) return characters
  const ending = /\.[^.]{1,8}$/.exec(characters)?.[0] ?? ''
  return characters.slice(0, MAX_FILE_NAME_CHARACTERS - ending.length) + ending
}

/** Why a file is rejected without an upload; the server checks its content. */
function rejectionOf({ type, size }: File, acceptedFiles: AcceptedFiles): string | null {
  const isImage = type.startsWith('image/')
  if (isImage && acceptedFiles !== 'images') return t('This assistant can’t see images. You can attach PDFs and text files.')
  if (size === 0) return t('This file is empty.')
  // Images are scaled down.
  return size > MAX_FILE_BYTES && !isImage ? tooLarge() : null
}

const tooLarge = () => t('This file is too large. The limit is {most} MB.', { most: MAX_FILE_BYTES / MIB })

function queue(id: string): void {
  const controller = new AbortController()
  sending.set(id, controller)
  lastSent = lastSent
    .then(() => sendAttachment(id, controller.signal))
    .catch((error: unknown) => {
      if (controller.signal.aborted) return
      console.error(error)
      refuse(id, failureSentence('internal'), true)
    })
    .finally(() => sending.delete(id))
}

async function sendAttachment(id: string, signal: AbortSignal): Promise<void> {
  const file = attachmentOf(id)
  if (file?.status !== 'sending' || signal.aborted) return
  const content = file.source.type.startsWith('image/') ? await prepareImage(file.source) : file.source
  if (content.size > MAX_FILE_BYTES) return refuse(id, tooLarge(), false)
  const isShared = useApplication.getState().isSharedComputer
  if (signal.aborted) return
  const outcome = await sendFile(file.name, content, { isShared, signal })
  if (!outcome.ok) {
    const why = outcome.code === 'body_too_large' ? tooLarge() : failureSentence(outcome.code)
    return refuse(id, why, !FINAL.includes(outcome.code))
  }
  const part = partOf(outcome.value)
  // The file or its draft was removed during the upload.
  if (!attachmentOf(id)) return discardFile(part)
  changeAttachment(id, ({ name }) => ({ id, name, status: 'stored', part, isCut: outcome.value.isCut }))
}

const partOf = ({ id, name, mediaType }: StoredFile): FilePart => ({ type: 'file', mediaType, filename: name, url: fileAddress(id) })

function refuse(id: string, why: string, canRetry: boolean): void {
  changeAttachment(id, (file) => (file.status === 'sending' ? { ...file, status: 'rejected', why, canRetry } : file))
}

function attachmentOf(id: string): Attachment | undefined {
  return [...useDrafts.getState().drafts.values()].flatMap(({ files }) => files).find((file) => file.id === id)
}

/** Changes an attachment in the draft that has it; `null` removes it. */
function changeAttachment(id: string, change: (file: Attachment) => Attachment | null): void {
  for (const [chat, { files }] of useDrafts.getState().drafts) {
    if (!files.some((file) => file.id === id)) continue
    changeDraft(chat, { files: files.flatMap((file) => (file.id === id ? (change(file) ?? []) : [file])) })
  }
}
