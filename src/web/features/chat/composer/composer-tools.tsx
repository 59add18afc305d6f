import type { ReactNode, RefObject } from 'react'
import type { VisitorChoice } from '../../../../contract/answer-preferences.ts'
import type { AcceptedFiles } from '../../../../contract/files.ts'
import type { FilePart } from '../../../../contract/parts/file.ts'
import { isEmbedded } from '../../../api/embedded.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import styles from './composer-tools.css?inline'
import { ConversationButton } from '../voice/conversation-button.tsx'
import { AnswerChoices } from './answer-choices.tsx'
import { FileTools } from './file-tools.tsx'
import { VoiceInput } from './voice-input.tsx'

adoptStyles(styles)

interface ComposerToolsProps {
  /** Key of the draft. */
  chat: string
  acceptedFiles: AcceptedFiles
  choices: readonly VisitorChoice[]
  voiceInput: boolean
  area: RefObject<HTMLTextAreaElement | null>
  /** Sends what was said in a voice conversation. */
  onSend(prompt: string, files: FilePart[]): void
}

/** Buttons for files, choices about answers, dictation and voice conversations beside the message box. */
export default function ComposerTools({ chat, acceptedFiles, choices, voiceInput, area, onSend }: ComposerToolsProps): ReactNode {
  return (
    <>
      {acceptedFiles !== 'none' && <FileTools chat={chat} acceptedFiles={acceptedFiles} area={area} />}
      {choices.length > 0 && <AnswerChoices choices={choices} />}
      {/* The microphone is not available in frames. */}
      {voiceInput && !isEmbedded && (
        <>
          <VoiceInput chat={chat} />
          <ConversationButton onSend={onSend} />
        </>
      )}
    </>
  )
}
