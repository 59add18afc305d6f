import { type ReactNode, useState } from 'react'
import type { FilePart } from '../../../../contract/parts/file.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { pendingFile, isLocal } from '../../../state/pending-files.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import styles from './message-files.css?inline'

adoptStyles(styles)

/** The files attached to a prompt: images are shown, and all can be downloaded. */
export default function MessageFiles({ files }: { files: readonly FilePart[] }): ReactNode {
  useTranslate()
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
  const picture = isLocal(url) ? pendingFile(url)?.thumbnail : url
  const shown =
    mediaType.startsWith('image/') && picture && !isBroken ? (
      <img src={picture} alt={name} onError={() => setBroken(true)} />
    ) : (
      <bdi className="chip still">{name}</bdi>
    )
  if (isTemporary || isLocal(url)) return shown
  return (
    <a href={url} download={name} title={t('Download {name}', { name })}>
      {shown}
    </a>
  )
}
