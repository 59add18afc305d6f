import { type ReactNode, useRef, useState } from 'react'
import { defineMessage, useTranslate } from '../../language/translate.ts'
import { adoptStyles } from '../adopt-styles.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import styles from './diagram.css?inline'
import type { Picture } from './diagram-messages.ts'
import { useDrawing } from './use-drawing.ts'

adoptStyles(styles)

/** Info string of the fence. */
const LANGUAGE = 'mermaid'

const REFUSALS = {
  unreadable: defineMessage('This diagram can’t be drawn. Showing its code instead.'),
  'too-large': defineMessage('This diagram is too large to draw. Showing its code instead.'),
  'too-slow': defineMessage('This diagram took too long to draw. Showing its code instead.'),
  'not-loaded': defineMessage('Couldn’t load the diagram. Showing its code for now.'),
}

/** A Mermaid diagram with its code. Shows only the code until it is drawn, or if it can't be. */
export default function Diagram({ source }: { source: string }): ReactNode {
  const t = useTranslate()
  const figure = useRef<HTMLElement>(null)
  const drawing = useDrawing(figure, source)
  const [wantsCode, setWantsCode] = useState(false)
  const [isBroken, setIsBroken] = useState(false)
  const picture = drawing?.status === 'drawn' && !isBroken ? drawing.picture : undefined
  const shownPicture = wantsCode ? undefined : picture
  const refusal = isBroken ? 'unreadable' : drawing?.status === 'rejected' ? drawing.reason : undefined
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
        <CopyButton text={() => source} label={t('Copy code')} />
      </figcaption>
      {shownPicture && <Drawn picture={shownPicture} onBroken={() => setIsBroken(true)} />}
      {/* There in any case, for what copies the answer. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} hidden={shownPicture !== undefined}>
        <code>{source}</code>
      </pre>
      {refusal && (
        <p role="note" dir="auto">
          {t(REFUSALS[refusal])}
        </p>
      )}
    </figure>
  )
}

/** Shows the drawing as an image, which can't run scripts, load resources or link anywhere. */
function Drawn({ picture: { svg, widthPx, heightPx, name }, onBroken }: { picture: Picture; onBroken(): void }): ReactNode {
  const t = useTranslate()
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="drawing" tabIndex={0} role="group" aria-label={t('Diagram')}>
      <img
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
        width={widthPx}
        height={heightPx}
        style={{ width: `min(${widthPx}px, max(100%, ${Math.round(widthPx * SMALLEST_SCALE)}px))` }}
        alt={name || t('Diagram. Its code says the same in words.')}
        onError={onBroken}
      />
    </div>
  )
}

/** Smallest scale to fit the width. Larger diagrams scroll. */
const SMALLEST_SCALE = 0.6
