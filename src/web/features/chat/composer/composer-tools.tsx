import './composer-tools.css'
import type { ReactNode, RefObject } from 'react'
import type { AcceptedFiles } from '../../../../contract/chat/files.ts'
import { isEmbedded } from '../../../api/embedded.ts'
import { FileTools } from './file-tools.tsx'
import { VoiceInput } from './voice-input.tsx'

interface ComposerToolsProps {
  /** Key of the draft. */
  chat: string
  acceptedFiles: AcceptedFiles
  voiceInput: boolean
  area: RefObject<HTMLTextAreaElement | null>
}

export default function ComposerTools({ chat, acceptedFiles, voiceInput, area }: ComposerToolsProps): ReactNode {
  return (
    <>
      {acceptedFiles !== 'none' && <FileTools chat={chat} acceptedFiles={acceptedFiles} area={area} />}
      {/* The microphone is not available in frames. */}
      {voiceInput && !isEmbedded && <VoiceInput chat={chat} />}
    </>
  )
}
