import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import { useTheme } from '../theme.ts'
import { useOnline } from '../use-online.ts'
import { type Drawing, drawDiagram, cachedDrawing } from './drawing-frame.ts'

/** Distance from the viewport at which a diagram is drawn. */
const NEAR = '200px 0px'

/** The drawing of a diagram. Draws when `place` comes into view and again when the theme changes; undefined until then. */
export function useDrawing(place: RefObject<HTMLElement | null>, source: string): Drawing | undefined {
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

/** Whether the page is dark, by the reader's choice or the system's. */
function useIsDark(): boolean {
  const theme = useTheme()
  const isSystemDark = useSyncExternalStore(subscribe, () => dark.matches)
  return theme === 'system' ? isSystemDark : theme === 'dark'
}
