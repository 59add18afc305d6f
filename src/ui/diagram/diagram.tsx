import { type ReactNode, useRef, useState, type RefObject, useEffect, useSyncExternalStore } from 'react'
import { defineMessage, useTranslate } from '../language/translate.ts'
import { Button, IconButton } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { lazyPart } from '../lazy-part.ts'
import './diagram.css'
import type { Picture } from './diagram-messages.ts'
import { useTheme } from '../theme.ts'
import { useOnline } from '../use-online.ts'
import { type Drawing, drawDiagram, cachedDrawing } from './drawing-frame.ts'

const LANGUAGE = 'mermaid'

const FAULTS = {
  unreadable: defineMessage('This diagram can’t be drawn. Showing its code instead.'),
  'too-large': defineMessage('This diagram is too large to draw. Showing its code instead.'),
  'too-slow': defineMessage('This diagram took too long to draw. Showing its code instead.'),
  'not-loaded': defineMessage('Couldn’t load the diagram. Showing its code for now.'),
}

const PictureViewer = lazyPart(() => import('../viewer/picture-viewer.tsx'))

/** A Mermaid diagram with its code. Shows only the code until it is drawn, or if it can't be. */
export default function Diagram({ source }: { source: string }): ReactNode {
  const t = useTranslate()
  const figure = useRef<HTMLElement>(null)
  const drawing = useDrawing(figure, source)
  const enlarge = useRef<HTMLButtonElement>(null)
  const [wantsCode, setWantsCode] = useState(false)
  const [isBroken, setIsBroken] = useState(false)
  const [isEnlarged, setEnlarged] = useState(false)
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
            <IconButton
              ref={enlarge}
              icon="enlarge"
              className="small"
              label={t('Enlarge')}
              aria-haspopup="dialog"
              onClick={() => setEnlarged(true)}
            />
          )}
          {shownPicture && isEnlarged && (
            <PictureViewer
              address={addressOf(shownPicture)}
              name="diagram.svg"
              title={shownPicture.name || t('Diagram')}
              className="diagram-image"
              onClose={() => setEnlarged(false)}
            />
          )}
          <CopyButton text={() => source} label={t('Copy code')} />
        </span>
      </figcaption>
      {shownPicture && <Drawn picture={shownPicture} onBroken={() => setIsBroken(true)} onClick={() => press(enlarge.current)} />}
      {!shownPicture && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre tabIndex={0}>
          <code>{source}</code>
        </pre>
      )}
      {fault && (
        <p role="note" dir="auto">
          {t(FAULTS[fault])}
        </p>
      )}
    </figure>
  )
}

const addressOf = ({ svg }: Picture) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

/** Presses a button, which gets the focus back when what it opens closes. */
function press(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true })
  button?.click()
}

/** Shows the drawing as an image, which can't run scripts, load resources or link anywhere. */
function Drawn({ picture, onBroken, onClick }: { picture: Picture; onBroken(): void; onClick(): void }): ReactNode {
  const t = useTranslate()
  const isDark = useIsDark()
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the button is the keyboard's way
    <div className={isDark ? 'drawing dark' : 'drawing'} onClick={onClick}>
      <img
        src={addressOf(picture)}
        width={picture.widthPx}
        height={picture.heightPx}
        alt={picture.name || t('Diagram. Its code says the same in words.')}
        onError={onBroken}
      />
    </div>
  )
}

/** Distance from the viewport at which a diagram is drawn. */
const NEAR = '200px 0px'

/** The drawing of a diagram. Draws when `place` comes into view and again when the theme changes; undefined until then. */
function useDrawing(place: RefObject<HTMLElement | null>, source: string): Drawing | undefined {
  const isDark = useIsDark()
  const isInView = useIsInView(place)
  const isOnline = useOnline()
  const [latest, setLatest] = useState<{ source: string; drawing: Drawing }>()
  const drawing = cachedDrawing(source, isDark)
  const isMissing = isInView && !drawing
  useEffect(() => {
    if (!isMissing) return
    const leaving = new AbortController()
    drawDiagram(source, isDark, leaving.signal)
      .then((drawn) => drawn && !leaving.signal.aborted && setLatest({ source, drawing: drawn }))
      .catch(console.error)
    return () => leaving.abort()
    // Retries failed loading once the browser is online.
  }, [source, isDark, isMissing, isOnline])
  // Shows the drawing in the previous theme until the new one is ready.
  return drawing ?? (latest?.source === source ? latest.drawing : undefined)
}

function useIsInView(place: RefObject<HTMLElement | null>): boolean {
  const [isInView, setIsInView] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const near = new IntersectionObserver((entries) => setIsInView(entries.at(-1)?.isIntersecting ?? false), { rootMargin: NEAR })
    near.observe(place.current)
    return () => near.disconnect()
  }, [place])
  return isInView
}

const dark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}

function useIsDark(): boolean {
  const theme = useTheme()
  const isSystemDark = useSyncExternalStore(subscribe, () => dark.matches)
  return theme === 'system' ? isSystemDark : theme === 'dark'
}
