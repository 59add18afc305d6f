import type { ReactNode } from 'react'
import type { VisitorChoice } from '../../../../contract/chat/answer-preferences.ts'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { chooseWebSearch, useAnswerPreferences } from '../../../state/answer-preferences.ts'
import { OutlineButton } from '../outline-button.tsx'

const GLOBE = 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M3 10h14M10 3c-5 5-5 9 0 14M10 3c5 5 5 9 0 14'

export function AnswerChoices({ choices }: { choices: readonly VisitorChoice[] }): ReactNode {
  const t = useTranslate()
  const { webSearch } = useAnswerPreferences()
  if (!choices.includes('web_search')) return null
  return <OutlineButton outline={GLOBE} label={t('Search the web')} aria-pressed={webSearch} onClick={() => chooseWebSearch(!webSearch)} />
}
