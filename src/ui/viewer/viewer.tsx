import { type ReactNode, useId } from 'react'
import { createPortal } from 'react-dom'
import { useTranslate } from '../language/translate.ts'
import { Button, IconButton } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import { notify } from '../notification.tsx'
import './viewer.css'

/** A file to save: at an address of the server, or made in the page. */
export type Download = { label: string; name: string } & ({ address: string } | { save(): void | Promise<void> })

interface ViewerProps {
  title: string
  downloads: Download[]
  onClose(): void
  children: ReactNode
}

/** A dialog as large as the window for a picture or diagram, which scrolls in it and can be saved. */
export function Viewer({ title, downloads, onClose, children }: ViewerProps): ReactNode {
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
        {children}
      </div>
      <footer>
        {downloads.map((download) => (
          <DownloadButton key={download.label} download={download} />
        ))}
      </footer>
    </Dialog>,
    document.body,
  )
}

function DownloadButton({ download }: { download: Download }): ReactNode {
  const t = useTranslate()
  const label = t('Download {name}', { name: download.name })
  if ('address' in download) {
    return (
      <a className="button outline" href={download.address} download={download.name} aria-label={label}>
        <Icon name="download" />
        {download.label}
      </a>
    )
  }
  const failed = (error: unknown) => {
    console.error(error)
    notify({ message: t('Couldn’t save the file.'), type: 'error' })
  }
  const save = () => {
    Promise.resolve().then(download.save).catch(failed)
  }
  return (
    <Button variant="outline" icon="download" aria-label={label} onClick={save}>
      {download.label}
    </Button>
  )
}
