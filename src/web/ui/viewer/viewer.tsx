import { type CSSProperties, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLanguage } from '../../language/language.ts'
import { useTranslate } from '../../language/translate.ts'
import { adoptStyles } from '../adopt-styles.ts'
import { Button, IconButton } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import { notify } from '../notification.tsx'
import { useBack } from './use-back.ts'
import { useZoom, zoomByKey } from './use-zoom.ts'
import styles from './viewer.css?inline'
import { type Size, STEP } from './zoom.ts'

adoptStyles(styles)

/** A file to save: at an address of the server, or made in the page. */
export type Download = { label: string; name: string } & ({ address: string } | { save(): void | Promise<void> })

interface ViewerProps {
  title: string
  /** The address of a picture, and the scale up to which it fills the window. */
  picture?: { address: string; name: string; most: number }
  /** Text that is shown instead of a picture. */
  children?: ReactNode
  /** Buttons beside Close. */
  actions?: ReactNode
  downloads: Download[]
  onClose(): void
}

/** Shows a picture, diagram, table or code in the whole window, with zoom and downloads. Escape and Back close it. */
export function Viewer({ title, picture, children, actions, downloads, onClose }: ViewerProps): ReactNode {
  const t = useTranslate()
  const id = useId()
  const { locale } = useLanguage()
  const stage = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  const zoom = useZoom(stage, content, size, { most: picture?.most ?? 1, isText: !picture })
  const drag = useDrag()
  useBack(onClose)
  return createPortal(
    <Dialog open onClose={onClose} labelledBy={id} className={picture ? 'viewer of-picture' : 'viewer'}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys for what the buttons do too */}
      <div
        className="viewer-frame"
        onKeyDown={(event) => {
          if (zoomByKey(event, zoom)) event.preventDefault()
        }}
      >
        <header>
          <h2 id={id} dir="auto">
            {title}
          </h2>
          {actions}
          <IconButton icon="close" label={t('Close')} onClick={onClose} />
        </header>
        {/* A region that scrolls must be reachable by keyboard. */}
        <div
          ref={stage}
          className="viewer-stage"
          // Scroll offsets count from the left.
          dir="ltr"
          role="group"
          aria-label={title}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          data-first-focus
          {...(picture && drag)}
        >
          <div ref={content} className="viewer-content" style={{ '--zoom': zoom.scale } as CSSProperties}>
            {picture ? (
              <img
                src={picture.address}
                alt={picture.name}
                draggable={false}
                width={size ? size.width * zoom.scale : undefined}
                height={size ? size.height * zoom.scale : undefined}
                onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize({ width: naturalWidth, height: naturalHeight })}
              />
            ) : (
              children
            )}
          </div>
        </div>
        <footer>
          <div className="viewer-zoom">
            <IconButton icon="minus" label={t('Zoom out')} onClick={() => zoom.by(1 / STEP)} />
            <output>{zoom.scale.toLocaleString(locale, { style: 'percent' })}</output>
            <IconButton icon="plus" label={t('Zoom in')} onClick={() => zoom.by(STEP)} />
            <IconButton icon="fit" label={t('Fit to window')} onClick={zoom.fit} />
          </div>
          {downloads.map((download) => (
            <DownloadButton key={download.label} download={download} />
          ))}
        </footer>
      </div>
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

/** Moves a picture with the mouse; fingers scroll by themselves. */
function useDrag() {
  return {
    onPointerDown({ pointerType, button, pointerId, currentTarget }: PointerEvent<HTMLElement>) {
      if (pointerType === 'mouse' && button === 0) currentTarget.setPointerCapture(pointerId)
    },
    onPointerMove({ pointerId, movementX, movementY, currentTarget }: PointerEvent<HTMLElement>) {
      if (currentTarget.hasPointerCapture(pointerId)) currentTarget.scrollBy({ left: -movementX, top: -movementY, behavior: 'instant' })
    },
  }
}
