import { type ChangeEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { AcceptedFiles, StoredFile } from '../../../../contract/chat/files.ts'
import { MAX_ATTACHMENTS, MAX_FILE_BYTES, MAX_FILE_TEXT_CHARACTERS, MAX_FILE_NAME_CHARACTERS } from '../../../../contract/size-limits.ts'
import { t } from '../../../../ui/language/translate.ts'
import { type Attachment, useDraft, changeDraft, draftOf, useDrafts } from '../../../state/drafts.ts'
import { OutlineButton } from '../outline-button.tsx'
import type { FilePart } from '../../../../contract/chat/parts/file.ts'
import { type FailureCode, failureSentence } from '../../../api/failure.ts'
import { deleteFile, fileAddress, sendFile } from '../../../api/file-calls.ts'
import { useApplication } from '../../../state/application-store.ts'
import { prepareImage } from './prepare-image.ts'

const PAPER_CLIP =
  'm15.500 9.500-5.700 5.700a3.600 3.600 0 0 1-5.100-5.100l6-6a2.400 2.400 0 0 1 3.400 3.400l-6 6a1.200 1.200 0 0 1-1.700-1.700l5.300-5.300'
const CROSS = 'm5.500 5.500 9 9m0-9-9 9'
const AGAIN = 'M15.800 8.500A6.200 6.200 0 1 0 16 11.800M16.300 4.500v4.200h-4.200'
const PAGE = 'M5.500 3.500h6l3.500 3.500v9.500h-9.500zM11.500 3.500v3.500h3.500'

const TEXTS =
  '.pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.rtf,.epub,text/*,.md,.csv,.json,.log,.yaml,.yml,.xml,.toml,.ini,.sql,.py,.js,.ts,.java,.c,.cpp,.go,.rs'
// Named one by one, phones turn their own kinds of pictures into these.
const PICTURES = 'image/png,image/jpeg,image/webp,image/gif'

export interface FileToolsProps {
  /** Key of the draft. */
  chat: string
  acceptedFiles: AcceptedFiles
  area: RefObject<HTMLTextAreaElement | null>
}

/** Attaches files with a button, by pasting, and by dropping them anywhere on the page. */
export function FileTools({ chat, acceptedFiles, area }: FileToolsProps): ReactNode {
  const { files } = useDraft(chat)
  const picker = useRef<HTMLInputElement>(null)
  const attach = (given: readonly File[]) => {
    if (given.length > 0) attachFiles(chat, given, acceptedFiles)
  }
  const isDragging = useDroppedFiles(attach)
  usePastedFiles(area, attach)
  const onPick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    attach([...(target.files ?? [])])
    // The same file may be chosen again.
    target.value = ''
  }
  const remove = (id: string) => {
    removeAttachment(id)
    area.current?.focus()
  }
  return (
    <>
      {files.length > 0 && (
        <ul className="attachments" aria-label={t('Attached files')}>
          {files.map((file) => (
            <AttachmentItem key={file.id} file={file} onRemove={() => remove(file.id)} />
          ))}
        </ul>
      )}
      <OutlineButton outline={PAPER_CLIP} label={invitation(acceptedFiles)} onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={acceptedFiles === 'images' ? `${PICTURES},${TEXTS}` : TEXTS}
        onChange={onPick}
      />
      <p className="waiting" role="status">
        {files.some(({ status }) => status === 'sending') && t('You can send this when the files are uploaded.')}
      </p>
      {isDragging && (
        <div className="drop-zone" aria-hidden="true">
          <p>{invitation(acceptedFiles)}</p>
        </div>
      )}
    </>
  )
}

function invitation(acceptedFiles: AcceptedFiles): string {
  const limits = { most: MAX_ATTACHMENTS, size: MAX_FILE_BYTES / 1024 / 1024 }
  return acceptedFiles === 'images'
    ? t('Attach images, PDFs or text files: up to {most}, {size} MB each', limits)
    : t('Attach PDFs or text files: up to {most}, {size} MB each', limits)
}

function AttachmentItem({ file, onRemove }: { file: Attachment; onRemove(): void }): ReactNode {
  const { id, name, status } = file
  return (
    <li className={status}>
      <Preview file={file} />
      <span className="about">
        <bdi className="name">{name}</bdi>
        <AttachmentState file={file} />
      </span>
      {status === 'rejected' && file.canRetry && (
        <OutlineButton outline={AGAIN} label={t('Attach {name} again', { name })} onClick={() => reattachFile(id)} />
      )}
      <OutlineButton outline={CROSS} label={t('Remove {name}', { name })} onClick={onRemove} />
    </li>
  )
}

function Preview({ file }: { file: Attachment }): ReactNode {
  const stored = file.status === 'stored' && file.part.mediaType.startsWith('image/') ? file.part.url : ''
  if (stored) return <img src={stored} alt="" />
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PAGE} />
    </svg>
  )
}

function AttachmentState({ file }: { file: Attachment }): ReactNode {
  if (file.status === 'sending') return <progress aria-label={t('Sending {name}', { name: file.name })} />
  if (file.status === 'rejected') return <small role="alert">{file.why}</small>
  return (
    <small role="status">
      {file.isCut ? t('Only the first {count} characters are used.', { count: MAX_FILE_TEXT_CHARACTERS }) : t('Attached')}
    </small>
  )
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/** Whether files are dragged over the page; calls `attach` with dropped files. */
function useDroppedFiles(attach: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false)
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return
    // Otherwise the browser would leave the page for the file.
    event.preventDefault()
    // Leaving for nothing is leaving the page.
    setDragging(event.type === 'dragover' || (event.type === 'dragleave' && event.relatedTarget !== null))
    if (event.type === 'drop') attach([...(event.dataTransfer?.files ?? [])])
  })
  useEffect(() => {
    const controller = new AbortController()
    for (const type of ['dragover', 'dragleave', 'drop'] as const) addEventListener(type, onDrag, { signal: controller.signal })
    return () => controller.abort()
  }, [])
  return isDragging
}

/** Calls `attach` with files that are pasted into the message box. A clipboard with text and a picture of it is pasted as text. */
function usePastedFiles(area: RefObject<HTMLTextAreaElement | null>, attach: (files: readonly File[]) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return
    event.preventDefault()
    attach(files)
  })
  useEffect(() => {
    const controller = new AbortController()
    area.current?.addEventListener('paste', onPaste, { signal: controller.signal })
    return () => controller.abort()
  }, [area])
}

const MAX_REPORTED = 3
const MIB = 1024 * 1024

/** Aborts uploads, by attachment id. */
const sending = new Map<string, AbortController>()
/** Uploads run one at a time: the first file of a new visitor creates the visitor. */
let lastSent: Promise<void> = Promise.resolve()

/** Attaches files to a draft and uploads them. A rejected file shows its reason and does not block the others. */
function attachFiles(chat: string, files: readonly File[], acceptedFiles: AcceptedFiles): void {
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

function reattachFile(id: string): void {
  changeAttachment(id, (file) => (file.status === 'rejected' ? { ...file, status: 'sending' } : file))
  queue(id)
}

/** Removes a file from its draft and from the server. */
function removeAttachment(id: string): void {
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
