import './composer-tools.css'
import type { ReactNode, RefObject } from 'react'
import type { VisitorChoice } from '../../../../contract/chat/answer-preferences.ts'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { chooseWebSearch, useAnswerPreferences } from '../../../state/answer-preferences.ts'
import { OutlineButton } from '../outline-button.tsx'
import type { AcceptedFiles } from '../../../../contract/chat/files.ts'
import { isEmbedded } from '../../../api/embedded.ts'
import { FileTools } from './file-tools.tsx'
import { VoiceInput } from './voice-input.tsx'

const GLOBE = 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M3 10h14M10 3c-5 5-5 9 0 14M10 3c5 5 5 9 0 14'

function AnswerChoices({ choices }: { choices: readonly VisitorChoice[] }): ReactNode {
  const t = useTranslate()
  const { webSearch } = useAnswerPreferences()
  if (!choices.includes('web_search')) return null
  return <OutlineButton outline={GLOBE} label={t('Search the web')} aria-pressed={webSearch} onClick={() => chooseWebSearch(!webSearch)} />
}

interface ComposerToolsProps {
  /** Key of the draft. */
  chat: string
  acceptedFiles: AcceptedFiles
  choices: readonly VisitorChoice[]
  voiceInput: boolean
  area: RefObject<HTMLTextAreaElement | null>
}

export default function ComposerTools({ chat, acceptedFiles, choices, voiceInput, area }: ComposerToolsProps): ReactNode {
  return (
    <>
      {acceptedFiles !== 'none' && <FileTools chat={chat} acceptedFiles={acceptedFiles} area={area} />}
      {choices.length > 0 && <AnswerChoices choices={choices} />}
      {/* The microphone is not available in frames. */}
      {voiceInput && !isEmbedded && <VoiceInput chat={chat} />}
    </>
  )
}
