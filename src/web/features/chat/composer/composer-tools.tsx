import type { ReactNode, RefObject } from 'react'
import type { VisitorChoice } from '../../../../contract/chat/answer-preferences.ts'
import type { AcceptedFiles } from '../../../../contract/chat/files.ts'
import { isEmbedded } from '../../../api/embedded.ts'
import './composer-tools.css'
import { AnswerChoices } from './answer-choices.tsx'
import { FileTools } from './file-tools.tsx'
import { VoiceInput } from './voice-input.tsx'

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
