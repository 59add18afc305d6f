import {
  type AnchorHTMLAttributes,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type ToggleEvent,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  type Ref,
  useState,
} from 'react'
import { directionOf } from '../../../../../ui/language/languages.ts'
import { LanguageContext } from '../../../../../ui/language/translate.ts'
import { placeNear } from '../../../../../ui/place-near.ts'
import './source-card.css'
import { SourceCard } from './source-card.tsx'
import type { SourceDetails } from './source-details.ts'

/** Long enough to move the pointer across a mark without opening its card, and from the mark to the card. */
const OPEN_AFTER_MS = 120
const CLOSE_AFTER_MS = 250

interface SourcePopoverProps {
  source: SourceDetails
  className: string
  /** Accessible name of the button; defaults to its text. */
  label?: string
  /** Whether hover and keyboard focus open the card too, and a source with an address is a link to it. */
  hasPreview?: boolean
  children: ReactNode
}

/**
 * A button or link with a non-modal card about a source. A click on the button, or a tap, pins the card open; a preview closes when pointer
 * and focus leave. The card follows in the document, so that Tab moves into it. The browser closes it on Escape and on a click elsewhere.
 */
export function SourcePopover({ source, className, label, hasPreview = false, children }: SourcePopoverProps): ReactNode {
  const id = useId()
  const [state, setState] = useState<'closed' | 'preview' | 'pinned'>('closed')
  const group = useRef<HTMLSpanElement>(null)
  const button = useRef<HTMLElement>(null)
  const card = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wantsFocus = useRef(false)
  /** Whether the card is closing: the focus returned to the button must not reopen it. */
  const isClosing = useRef(false)
  const isOpen = state !== 'closed'

  useLayoutEffect(() => {
    if (!isOpen || !button.current || !card.current) return
    card.current.showPopover()
    if (wantsFocus.current) card.current.focus({ preventScroll: true })
    wantsFocus.current = false
    return placeNear(button.current, card.current)
  }, [isOpen])
  useEffect(() => () => clearTimeout(timer.current), [])

  const preview = () => {
    const other = document.querySelector('[popover]:popover-open:not([data-preview])')
    if (!other) setState((now) => (now === 'closed' ? 'preview' : now))
  }
  const close = () => card.current?.hidePopover()
  const click = (event: MouseEvent) => {
    // Prevents the native toggle; `popovertarget` only associates the button with its card.
    event.preventDefault()
    clearTimeout(timer.current)
    if (state === 'pinned') return close()
    wantsFocus.current = event.detail === 0
    if (isOpen && wantsFocus.current) card.current?.focus({ preventScroll: true })
    setState('pinned')
  }
  const tap = () => {
    clearTimeout(timer.current)
    setState('pinned')
  }
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return
    clearTimeout(timer.current)
    timer.current = setTimeout(preview, OPEN_AFTER_MS)
  }
  const leave = () => {
    clearTimeout(timer.current)
    if (state === 'preview' && !group.current?.matches(':has(:focus-visible)')) timer.current = setTimeout(close, CLOSE_AFTER_MS)
  }
  const focus = ({ target }: FocusEvent) => {
    if (target === button.current && !isClosing.current && target.matches(':focus-visible')) preview()
  }
  const blur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !group.current?.contains(relatedTarget)) close()
  }
  const beforeToggle = ({ newState }: ToggleEvent) => {
    isClosing.current = newState === 'closed'
  }
  const toggle = ({ newState }: ToggleEvent) => {
    if (newState !== 'closed') return
    isClosing.current = false
    setState('closed')
  }
  const setButton = (element: HTMLElement | null) => {
    button.current = element
  }
  const common = {
    className,
    'aria-label': label,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
  } as const
  const previewing = hasPreview && { onPointerEnter: enter, onPointerLeave: leave, onFocus: focus }
  return (
    <span ref={group} className="source-popover" onBlur={blur} {...previewing}>
      {hasPreview && source.href !== null ? (
        <SourceLink ref={setButton} href={source.href} isPinned={state === 'pinned'} onTap={tap} {...common}>
          {children}
        </SourceLink>
      ) : (
        <button ref={setButton} type="button" popoverTarget={id} onClick={click} {...common}>
          {children}
        </button>
      )}
      {isOpen && (
        <Card ref={card} source={source} id={id} isPreview={state === 'preview'} onBeforeToggle={beforeToggle} onToggle={toggle} />
      )}
    </span>
  )
}

interface SourceLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref: Ref<HTMLAnchorElement>
  isPinned: boolean
  /** Called for taps, except for one that closes the pinned card. */
  onTap(): void
}

/** A link to a source. A finger can't hover: a tap shows the card, which has the link, too. */
function SourceLink({ href, isPinned, onTap, children, ...rest }: SourceLinkProps): ReactNode {
  const press = useRef({ isTouch: false, wasPinned: false })
  const down = ({ pointerType }: PointerEvent) => {
    press.current = { isTouch: pointerType === 'touch', wasPinned: isPinned }
  }
  const click = (event: MouseEvent) => {
    const { isTouch, wasPinned } = press.current
    // The next click may come from a keyboard or a screen reader.
    press.current.isTouch = false
    if (!isTouch) return
    event.preventDefault()
    // The browser closes the card by the touch itself.
    if (!wasPinned) onTap()
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" onPointerDown={down} onClick={click} {...rest}>
      {children}
    </a>
  )
}

interface CardProps {
  ref: Ref<HTMLSpanElement>
  source: SourceDetails
  id: string
  isPreview: boolean
  onBeforeToggle(event: ToggleEvent): void
  onToggle(event: ToggleEvent): void
}

function Card({ source, id, isPreview, ...rest }: CardProps): ReactNode {
  const { language } = use(LanguageContext)
  return (
    <span
      {...rest}
      id={id}
      popover="auto"
      data-preview={isPreview || undefined}
      className="source-card"
      // The surrounding text may have the other direction.
      dir={directionOf(language)}
      role="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={source.quote === '' ? undefined : `${id}-quote`}
      // Without a link inside, the card itself must be focusable to scroll by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={source.href === null ? 0 : -1}
    >
      <SourceCard source={source} id={id} />
    </span>
  )
}
