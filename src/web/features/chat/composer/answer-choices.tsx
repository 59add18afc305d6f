import { type ReactNode, Suspense, useState } from 'react'
import type { VisitorChoice } from '../../../../contract/chat/answer-preferences.ts'
import { t, useTranslate } from '../../../../ui/language/translate.ts'
import { chooseThorough, chooseWebSearch, useAnswerPreferences } from '../../../state/answer-preferences.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import { OutlineButton } from '../outline-button.tsx'
import { useKeepsChoices } from './keeps-choices.ts'

const InstructionsDialog = lazyPart(() => import('./instructions-dialog.tsx'))

const GLOBE = 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M3 10h14M10 3c-5 5-5 9 0 14M10 3c5 5 5 9 0 14'
const LAYERS = 'M10 3l7.500 3.750L10 10.500L2.500 6.750zM2.500 10.250L10 14l7.500-3.750M2.500 13.750L10 17.500l7.500-3.750'
const SLIDERS = 'M3.500 6h6M13.500 6h3M9.500 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M3.500 14h3M10.500 14h6M6.500 14a2 2 0 1 0 4 0a2 2 0 1 0-4 0'

/** The visitor’s choices about answers, beside the message box. */
export function AnswerChoices({ choices }: { choices: readonly VisitorChoice[] }): ReactNode {
  useTranslate()
  const { instructions, thorough, webSearch } = useAnswerPreferences()
  const isStored = useKeepsChoices()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {choices.includes('thorough') && (
        <OutlineButton
          outline={LAYERS}
          label={t('Thorough answers, which take longer')}
          aria-pressed={thorough}
          onClick={() => chooseThorough(!thorough, isStored)}
        />
      )}
      {choices.includes('web_search') && (
        <OutlineButton outline={GLOBE} label={t('Search the web')} aria-pressed={webSearch} onClick={() => chooseWebSearch(!webSearch)} />
      )}
      {choices.includes('instructions') && (
        <OutlineButton
          outline={SLIDERS}
          label={instructions === '' ? t('How answers are written') : t('How answers are written: as you asked')}
          className={instructions === '' ? '' : 'chosen'}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        />
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <InstructionsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
