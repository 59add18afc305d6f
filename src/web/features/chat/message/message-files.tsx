import { type ReactNode, useState } from 'react'
import type { FilePart } from '../../../../contract/chat/parts/file.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import './message-files.css'

const PictureViewer = lazyPart(() => import('../../../../ui/viewer/picture-viewer.tsx'))

/** The files attached to a prompt: images are shown, and larger on demand; the others can be downloaded. */
export default function MessageFiles({ files }: { files: readonly FilePart[] }): ReactNode {
  return (
    <ul className="message-files" aria-label={t('Attached files')}>
      {files.map((file) => (
        <li key={file.url}>
          <MessageFile file={file} />
        </li>
      ))}
    </ul>
  )
}

function MessageFile({ file: { url, filename = '', mediaType } }: { file: FilePart }): ReactNode {
  // The server stores no files of a temporary chat.
  const isTemporary = useApplication((state) => state.isTemporary)
  const [isBroken, setBroken] = useState(false)
  const name = filename || t('File')
  const isPicture = mediaType.startsWith('image/') && !isBroken
  const shown = isPicture ? <img src={url} alt={name} onError={() => setBroken(true)} /> : <bdi className="chip still">{name}</bdi>
  if (isTemporary) return shown
  if (isPicture) {
    return (
      <Enlargeable address={url} name={name}>
        {shown}
      </Enlargeable>
    )
  }
  return (
    <a href={url} download={name} title={t('Download {name}', { name })}>
      {shown}
    </a>
  )
}

function Enlargeable({ address, name, children }: { address: string; name: string; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" title={t('Enlarge')} onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && <PictureViewer address={address} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}
