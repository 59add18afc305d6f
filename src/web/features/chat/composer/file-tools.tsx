import { type ChangeEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { AcceptedFiles } from '../../../../contract/chat/files.ts'
import { MAX_ATTACHMENTS, MAX_FILE_BYTES, MAX_FILE_TEXT_CHARACTERS } from '../../../../contract/size-limits.ts'
import { t } from '../../../../ui/language/translate.ts'
import { type Attachment, useDraft } from '../../../state/drafts.ts'
import { reattachFile, attachFiles, removeAttachment } from './attach-files.ts'
import { OutlineButton } from '../outline-button.tsx'

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
