import { type ReactNode, useRef, useState } from 'react'
import { defineMessage, useTranslate } from '../../language/translate.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { lazyPart } from '../lazy-part.ts'
import { EnlargeButton } from '../viewer/enlarge-button.tsx'
import './diagram.css'
import type { Picture } from './diagram-messages.ts'
import { useDrawing } from './use-drawing.ts'

/** Info string of the fence. */
const LANGUAGE = 'mermaid'

const FAULTS = {
  unreadable: defineMessage('This diagram can’t be drawn. Showing its code instead.'),
  'too-large': defineMessage('This diagram is too large to draw. Showing its code instead.'),
  'too-slow': defineMessage('This diagram took too long to draw. Showing its code instead.'),
  'not-loaded': defineMessage('Couldn’t load the diagram. Showing its code for now.'),
}

const DiagramViewer = lazyPart(() => import('../viewer/diagram-viewer.tsx'))

/** A Mermaid diagram with its code. Shows only the code until it is drawn, or if it can't be. */
export default function Diagram({ source }: { source: string }): ReactNode {
  const t = useTranslate()
  const figure = useRef<HTMLElement>(null)
  const drawing = useDrawing(figure, source)
  const enlarge = useRef<HTMLButtonElement>(null)
  const [wantsCode, setWantsCode] = useState(false)
  const [isBroken, setIsBroken] = useState(false)
  const picture = drawing?.status === 'drawn' && !isBroken ? drawing.picture : undefined
  const shownPicture = wantsCode ? undefined : picture
  const fault = isBroken ? 'unreadable' : drawing?.status === 'rejected' ? drawing.reason : undefined
  return (
    <figure ref={figure} className="code diagram" dir="ltr">
      <figcaption>
        {picture ? (
          <div className="switch" role="group" aria-label={t('Show as')}>
            <Button className="small" aria-pressed={!wantsCode} onClick={() => setWantsCode(false)}>
              {t('Diagram')}
            </Button>
            <Button className="small" aria-pressed={wantsCode} onClick={() => setWantsCode(true)}>
              {t('Code')}
            </Button>
          </div>
        ) : (
          <span>{LANGUAGE}</span>
        )}
        <span className="tools">
          {shownPicture && (
            <EnlargeButton ref={enlarge}>{(close) => <DiagramViewer picture={shownPicture} onClose={close} />}</EnlargeButton>
          )}
          <CopyButton text={() => source} label={t('Copy code')} />
        </span>
      </figcaption>
      {shownPicture && <Drawn picture={shownPicture} onBroken={() => setIsBroken(true)} onClick={() => press(enlarge.current)} />}
      {/* There in any case, for what copies the answer. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} hidden={shownPicture !== undefined}>
        <code>{source}</code>
      </pre>
      {fault && (
        <p role="note" dir="auto">
          {t(FAULTS[fault])}
        </p>
      )}
    </figure>
  )
}

/** Presses a button, which gets the focus back when what it opens closes. */
function press(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true })
  button?.click()
}

interface DrawnProps {
  picture: Picture
  onBroken(): void
  onClick(): void
}

/** Shows the drawing as an image, which can't run scripts, load resources or link anywhere. */
function Drawn({ picture: { svg, widthPx, heightPx, name }, onBroken, onClick }: DrawnProps): ReactNode {
  const t = useTranslate()
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the button is the keyboard's way
    <div className="drawing" onClick={onClick}>
      <img
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
        width={widthPx}
        height={heightPx}
        alt={name || t('Diagram. Its code says the same in words.')}
        onError={onBroken}
      />
    </div>
  )
}
