import type { ReactNode, RefObject } from 'react'
import type { Takes } from '../../../../contract/files.ts'
import { isEmbedded } from '../../../api/embedded.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import styles from './composer-tools.css?inline'
import { FileTools } from './file-tools.tsx'
import { VoiceInput } from './voice-input.tsx'

adoptStyles(styles)

interface ComposerToolsProps {
  /** Under which key the draft is. */
  chat: string
  takes: Takes
  voiceInput: boolean
  area: RefObject<HTMLTextAreaElement | null>
}

/** What stands beside the message box, where there is more than words to send, or another way to write them. */
export default function ComposerTools({ chat, takes, voiceInput, area }: ComposerToolsProps): ReactNode {
  return (
    <>
      {takes !== 'nothing' && <FileTools chat={chat} takes={takes} area={area} />}
      {/* A frame gets no microphone from the page around it. */}
      {voiceInput && !isEmbedded && <VoiceInput chat={chat} />}
    </>
  )
}
