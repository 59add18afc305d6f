import { type ReactNode, useId } from 'react'
import { createPortal } from 'react-dom'
import { useTranslate } from '../language/translate.ts'
import { IconButton } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import './viewer.css'

interface PictureViewerProps {
  address: string
  /** Name of the file that is saved. */
  name: string
  title?: string
  className?: string
  onClose(): void
}

/** A dialog as large as the window for a picture or diagram, which scrolls in it and can be saved. */
export default function PictureViewer({ address, name, title = name, className, onClose }: PictureViewerProps): ReactNode {
  const t = useTranslate()
  const id = useId()
  return createPortal(
    <Dialog open onClose={onClose} labelledBy={id} className="viewer">
      <header>
        <h2 id={id} dir="auto">
          {title}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="viewer-content" dir="auto" role="group" aria-label={title} tabIndex={0} data-first-focus>
        <img className={className} src={address} alt={title} />
      </div>
      <footer>
        <a className="button outline" href={address} download={name} aria-label={t('Download {name}', { name })}>
          <Icon name="download" />
          {t('Download')}
        </a>
      </footer>
    </Dialog>,
    document.body,
  )
}
