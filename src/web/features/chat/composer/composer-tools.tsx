import type { ReactNode, RefObject } from 'react'
import type { AcceptedFiles } from '../../../../contract/files.ts'
import { isEmbedded } from '../../../api/embedded.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import styles from './composer-tools.css?inline'
import { FileTools } from './file-tools.tsx'
import { VoiceInput } from './voice-input.tsx'

adoptStyles(styles)

interface ComposerToolsProps {
  /** Key of the draft. */
  chat: string
  acceptedFiles: AcceptedFiles
  voiceInput: boolean
  area: RefObject<HTMLTextAreaElement | null>
}

/** Buttons for files and dictation beside the message box. */
export default function ComposerTools({ chat, acceptedFiles, voiceInput, area }: ComposerToolsProps): ReactNode {
  return (
    <>
      {acceptedFiles !== 'none' && <FileTools chat={chat} acceptedFiles={acceptedFiles} area={area} />}
      {/* The microphone is not available in frames. */}
      {voiceInput && !isEmbedded && <VoiceInput chat={chat} />}
    </>
  )
}
