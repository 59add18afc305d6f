import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { t, useTranslate } from '../language/translate.ts'

export interface TableProps {
  children: ReactNode
}

/** A table that scrolls by itself, with its first column in place. */
export function TableBlock({ children }: TableProps): ReactNode {
  useTranslate()
  const scroller = useRef<HTMLDivElement>(null)
  const edge = useScrollEdge(scroller)
  return (
    <div className="wide">
      <figure className="table-frame" dir="auto" data-scroll={edge}>
        {/* A region that scrolls must be reachable by keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div ref={scroller} className="table" tabIndex={0} role="group" aria-label={t('Table')}>
          {children}
        </div>
      </figure>
    </div>
  )
}

/** `more` if the element can be scrolled on, `end` if it is scrolled to its end, and undefined if all of it fits. */
function useScrollEdge(scroller: RefObject<HTMLElement | null>): 'more' | 'end' | undefined {
  const [edge, setEdge] = useState<'more' | 'end'>()
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const { scrollWidth, clientWidth, scrollLeft } = element
      // Negative from right to left; fractions of a pixel are no content.
      const rest = scrollWidth - clientWidth - Math.abs(scrollLeft)
      setEdge(scrollWidth - clientWidth < 2 ? undefined : rest < 2 ? 'end' : 'more')
    }
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    if (element.firstElementChild) resized.observe(element.firstElementChild)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller])
  return edge
}
