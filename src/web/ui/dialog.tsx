import { type ReactNode, useLayoutEffect, useRef } from 'react'

interface OpenDialogProps {
  /** Called when the reader closes it with Escape or, when `dismissable`, with a click beside it. */
  onClose(): void
  labelledBy?: string
  label?: string
  className?: string
  dismissable?: boolean
  /** The element marked `data-first-focus` gets the focus, or else the first that can. */
  children: ReactNode
}

interface DialogProps extends OpenDialogProps {
  open: boolean
}

/** A modal dialog on the browser's own: it traps the focus, makes the rest inert, closes on Escape and gives the focus back. */
export const Dialog = ({ open, ...rest }: DialogProps): ReactNode => open && <OpenDialog {...rest} />

function OpenDialog({ onClose, labelledBy, label, className = '', dismissable = false, children }: OpenDialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  // Before the browser draws, and closed while it is still in the document: only then does it give the focus back.
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
    </dialog>
  )
}
