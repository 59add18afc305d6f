import './composer-tools.css'
import type { ReactNode } from 'react'
import { isEmbedded } from '../../../api/embedded.ts'
import { FileTools, type FileToolsProps } from './file-tools.tsx'
import { VoiceInput } from './voice-input.tsx'

interface ComposerToolsProps extends FileToolsProps {
  voiceInput: boolean
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
