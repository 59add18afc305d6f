import { type FocusEvent, type MouseEvent, type ReactNode, type ToggleEvent, use, useId, useLayoutEffect, useRef, useState } from 'react'
import { directionOf } from '../../../../../ui/language/languages.ts'
import { LanguageContext } from '../../../../../ui/language/translate.ts'
import { placeNear } from '../../../../../ui/place-near.ts'
import './source-card.css'
import { SourceCard } from './source-card.tsx'
import type { SourceDetails } from './source-details.ts'

interface SourcePopoverProps {
  source: SourceDetails
  className: string
  /** Accessible name of the button; defaults to its text. */
  label?: string
  children: ReactNode
}

/**
 * A button with a non-modal card about a source, which takes the focus. The card follows in the document, so that Tab goes on behind the
 * button. The browser closes it on Escape and on a click elsewhere.
 */
export function SourcePopover({ source, className, label, children }: SourcePopoverProps): ReactNode {
  const id = useId()
  const { language } = use(LanguageContext)
  const [isOpen, setOpen] = useState(false)
  const group = useRef<HTMLSpanElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const card = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!isOpen || !button.current || !card.current) return
    card.current.showPopover()
    card.current.focus({ preventScroll: true })
    return placeNear(button.current, card.current)
  }, [isOpen])
  const close = () => card.current?.hidePopover()
  const click = (event: MouseEvent) => {
    // Prevents the native toggle; `popovertarget` only associates the button with its card.
    event.preventDefault()
    if (isOpen) close()
    else setOpen(true)
  }
  const blur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !group.current?.contains(relatedTarget)) close()
  }
  return (
    <span ref={group} className="source-popover" onBlur={blur}>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className={className}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={click}
      >
        {children}
      </button>
      {isOpen && (
        <span
          ref={card}
          id={id}
          popover="auto"
          className="source-card"
          // The surrounding text may have the other direction.
          dir={directionOf(language)}
          role="dialog"
          aria-labelledby={`${id}-title`}
          aria-describedby={source.quote === '' ? undefined : `${id}-quote`}
          // Without a link inside, the card itself must be focusable to scroll by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={source.href === null ? 0 : -1}
          onToggle={({ newState }: ToggleEvent) => newState === 'closed' && setOpen(false)}
        >
          <SourceCard source={source} id={id} />
        </span>
      )}
    </span>
  )
}
