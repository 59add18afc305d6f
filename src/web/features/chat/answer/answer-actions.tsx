import type { ReactNode } from 'react'
import { type ChatMessage, textOf } from '../../../../contract/message.ts'
import { useTranslate } from '../../../language/translate.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import { IconButton } from '../../../ui/button.tsx'
import { useChatMode } from '../chat-mode.ts'
import { FeedbackButtons } from './feedback-buttons.tsx'
import styles from '../message/message-actions.css?inline'
import type { ScrollControls } from '../message/scroll-controls.ts'
import { OutlineButton } from '../outline-button.tsx'
import { canReadAloud, readAloud, stopReading, useReading } from './read-aloud.ts'
import { regenerate } from '../chat-actions.ts'
import { VersionSwitch } from '../message/version-switch.tsx'

adoptStyles(styles)

const SPEAKER = 'M3.500 8v4H6l4 3.500v-11L6 8zM12.500 7.500a3.500 3.500 0 0 1 0 5M14.800 5.200a6.800 6.800 0 0 1 0 9.600'

/** What can be done with an answer beside copying it. */
export default function AnswerActions({ message, scroll }: { message: ChatMessage; scroll: ScrollControls }): ReactNode {
  const t = useTranslate()
  const { isSending, isTemporary } = useChatMode()
  const start = () => {
    regenerate(message.id)
    scroll.follow()
  }
  return (
    <>
      {canReadAloud() && <ReadAloud message={message} />}
      {/* The server stores no answers of a temporary chat. */}
      {!isTemporary && (
        <>
          <IconButton icon="retry" className="small" label={t('Try again')} disabled={isSending} onClick={start} />
          <VersionSwitch message={message} scroll={scroll} />
          <FeedbackButtons message={message} />
        </>
      )}
    </>
  )
}

function ReadAloud({ message }: { message: ChatMessage }): ReactNode {
  const t = useTranslate()
  const isReading = useReading((state) => state.message === message.id)
  if (isReading) return <IconButton icon="stop" className="small" label={t('Stop reading aloud')} onClick={stopReading} />
  return <OutlineButton outline={SPEAKER} label={t('Read aloud')} onClick={() => readAloud(message.id, textOf(message))} />
}
