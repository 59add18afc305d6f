import { type ReactNode, useEffect, useRef } from 'react'

interface DialogProps {
  open: boolean
  /** Called when the reader closes it with Escape or, when `dismissable`, with a click beside it. */
  onClose(): void
  labelledBy?: string
  label?: string
  className?: string
  dismissable?: boolean
  /** The element marked `data-first-focus` gets the focus, or else the first that can. */
  children: ReactNode
}

/** A modal dialog on the browser's own: it traps the focus, makes the rest inert, closes on Escape and gives the focus back. */
export function Dialog({ open, onClose, labelledBy, label, className = '', dismissable = false, children }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-first-focus]')?.focus()
    return () => dialog.close()
  }, [open])
  if (!open) return null
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
    </dialog>
  )
}
