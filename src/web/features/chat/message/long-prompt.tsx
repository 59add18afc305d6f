import { type ReactNode, useState } from 'react'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { Button } from '../../../../ui/button.tsx'

/** A long prompt, folded to its beginning until the reader unfolds it. */
export default function LongPrompt({ text }: { text: string }): ReactNode {
  const t = useTranslate()
  const [isUnfolded, setUnfolded] = useState(false)
  return (
    <>
      <div className={isUnfolded ? 'bubble' : 'bubble folded'} dir="auto">
        {text}
      </div>
      <Button className="small" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
        {isUnfolded ? t('Show less') : t('Show more')}
      </Button>
    </>
  )
}
