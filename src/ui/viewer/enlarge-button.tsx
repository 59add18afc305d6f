import { type ReactNode, type Ref, useState } from 'react'
import { useTranslate } from '../language/translate.ts'
import { IconButton } from '../button.tsx'

/** A button that shows something in the viewer, which loads with its first use. */
export function EnlargeButton({ ref, children }: { ref?: Ref<HTMLButtonElement>; children(close: () => void): ReactNode }): ReactNode {
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
