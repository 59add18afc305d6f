import { type ReactNode, type Ref, useState } from 'react'
import { useTranslate } from '../language/translate.ts'
import { IconButton } from '../button.tsx'

interface EnlargeButtonProps {
  ref?: Ref<HTMLButtonElement>
  /** The open viewer. */
  children(close: () => void): ReactNode
}

/** A button that shows something in the viewer, which loads with its first use. */
export function EnlargeButton({ ref, children }: EnlargeButtonProps): ReactNode {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        icon="enlarge"
        className="small"
        label={t('Enlarge')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        {...(ref && { ref })}
      />
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
