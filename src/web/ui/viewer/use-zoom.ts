import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { bounded, fittingScale, offsetAfter, type Size, STEP, wheelFactor } from './zoom.ts'

interface ZoomRules {
  /** Largest scale at which the content fits by itself. */
  most: number
  /** Texts fit by their width, and start at their own size. */
  isText: boolean
}

export interface Zoom {
  scale: number
  /** Multiplies the scale; keeps the middle of the window in place. */
  by(factor: number): void
  fit(): void
}

interface Point {
  x: number
  y: number
}

/**
 * The scale of `content` in the scrolling `stage`: changed by buttons, keys, Ctrl and the wheel, two fingers, and a double click. `size` is
 * the content's size at the scale 1, or null to measure it.
 */
export function useZoom(
  stage: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  size: Size | null,
  { most, isText }: ZoomRules,
): Zoom {
  // Null fits the window, also when it changes.
  const [chosen, setChosen] = useState<number | null>(isText ? 1 : null)
  const [room, setRoom] = useState<Size | null>(null)
  const [measured, setMeasured] = useState<Size | null>(null)
  const natural = size ?? measured
  const fitting = natural && room ? fittingScale(natural, room, { most, isText }) : 1
  const scale = chosen ?? fitting
  /** What stays in place with the next change of scale. */
  const anchor = useRef<{ at: Point; before: number }>(null)
  /** The scale after all events so far, of which some may not be drawn. */
  const latest = useRef(scale)

  useEffect(() => {
    if (!stage.current) return
    const resized = new ResizeObserver(([entry]) => {
      if (entry) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    resized.observe(stage.current)
    return () => resized.disconnect()
  }, [stage])

  useLayoutEffect(() => {
    const [element, kept] = [stage.current, anchor.current]
    anchor.current = null
    latest.current = scale
    if (!element || !kept) return
    const factor = scale / kept.before
    element.scrollLeft = offsetAfter(element.scrollLeft, kept.at.x, factor)
    element.scrollTop = offsetAfter(element.scrollTop, kept.at.y, factor)
  }, [stage, scale])

  const by = (factor: number, at?: Point) => {
    const element = stage.current
    if (!element) return
    anchor.current = { at: at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 }, before: scale }
    latest.current = bounded(latest.current * factor, fitting)
    setChosen(latest.current)
  }
  const fit = () => {
    const drawn = content.current
    if (drawn) setMeasured({ width: drawn.offsetWidth / scale, height: drawn.offsetHeight / scale })
    setChosen(null)
  }
  const toggle = (at: Point) => (chosen === null ? by(Math.max(1, 2 * scale) / scale, at) : fit())
  useGestures(stage, { by, toggle: isText ? null : toggle })
  return { scale, by, fit }
}

interface Gestures {
  by(factor: number, at: Point): void
  toggle: ((at: Point) => void) | null
}

/** Zooms by Ctrl and the wheel, two fingers and, if there is `toggle`, a double click. */
function useGestures(stage: RefObject<HTMLElement | null>, { by, toggle }: Gestures): void {
  const zoomBy = useEffectEvent(by)
  const zoomAt = useEffectEvent((at: Point) => toggle?.(at))
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const over = new AbortController()
    const at = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const { left, top } = element.getBoundingClientRect()
      return { x: clientX - left, y: clientY - top }
    }
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      zoomBy(wheelFactor(event.deltaY), at(event))
    }
    let spread = 0
    const onTouch = (event: TouchEvent) => {
      const [first, second] = event.touches
      if (!first || !second) {
        spread = 0
        return
      }
      if (event.cancelable) event.preventDefault()
      const now = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY)
      const middle = { clientX: (first.clientX + second.clientX) / 2, clientY: (first.clientY + second.clientY) / 2 }
      if (spread > 0 && event.type === 'touchmove') zoomBy(now / spread, at(middle))
      spread = now
    }
    const options = { signal: over.signal, passive: false }
    // React's own listeners for these are passive.
    element.addEventListener('wheel', onWheel, options)
    for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) element.addEventListener(type, onTouch, options)
    element.addEventListener('dblclick', (event) => zoomAt(at(event)), options)
    return () => over.abort()
  }, [stage])
}

/** Zooms by `+`, `−` and `0`. */
export function zoomByKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent | React.KeyboardEvent, { by, fit }: Zoom): boolean {
  if (ctrlKey || metaKey || altKey) return false
  if (key === '+' || key === '=') by(STEP)
  else if (key === '-' || key === '−') by(1 / STEP)
  else if (key === '0') fit()
  else return false
  return true
}
