import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { NotificationSlot } from './notification.tsx'

interface OpenDialogProps {
  /** Called on Escape and, if `dismissable`, on a click outside. */
  onClose(): void
  labelledBy?: string
  label?: string
  className?: string
  dismissable?: boolean
  /** The element with `data-first-focus` gets the focus, or else the first focusable one. */
  children: ReactNode
}

interface DialogProps extends OpenDialogProps {
  open: boolean
}

/** A modal dialog on the native element, which traps the focus, makes the rest inert, closes on Escape and restores the focus. */
export const Dialog = ({ open, ...rest }: DialogProps): ReactNode => open && <OpenDialog {...rest} />

function OpenDialog({ onClose, labelledBy, label, className = '', dismissable = false, children }: OpenDialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  // Opens before paint, and closes while still in the document, because only then the focus is restored.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-first-focus]')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape is the keyboard's way
    <dialog
      ref={ref}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (dismissable && event.target === ref.current) onClose()
      }}
    >
      {children}
      <NotificationSlot />
    </dialog>
  )
}
