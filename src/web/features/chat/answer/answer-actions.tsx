import { type ReactNode, useState } from 'react'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { useLanguage } from '../../../../ui/language/language.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useConfiguration } from '../../../state/configuration.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { useChatMode } from '../chat-mode.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import { FeedbackButtons } from './feedback-buttons.tsx'
import '../message/message-actions.css'
import type { ScrollControls } from '../message/scroll-controls.ts'
import { OutlineButton } from '../outline-button.tsx'
import { canReadAloud, readAloud, stopReading, useReading } from './read-aloud.ts'
import { LEICHTE_SPRACHE } from './leichte-sprache.ts'
import { regenerate, send } from '../chat-actions.ts'
import { VersionSwitch } from '../message/version-switch.tsx'

const ReportDialog = lazyPart(() => import('./report-dialog.tsx'))

const FLAG = 'M5 17V4c2.500-1.500 4.500-.8 6 0s3 1 4.500.2v8c-1.500.8-3 .6-4.500-.2s-3.500-1.500-6 0'
const SPEAKER = 'M3.500 8v4H6l4 3.500v-11L6 8zM12.500 7.500a3.500 3.500 0 0 1 0 5M14.800 5.200a6.800 6.800 0 0 1 0 9.600'

interface AnswerActionsProps {
  message: ChatMessage
  isLast: boolean
  scroll: ScrollControls
}

export default function AnswerActions({ message, isLast, scroll }: AnswerActionsProps): ReactNode {
  const { isSending, isTemporary } = useChatMode()
  const start = () => {
    regenerate(message.id)
    scroll.showPrompt()
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
          <Report message={message} />
        </>
      )}
      {isLast && !isSending && message.metadata?.status === 'done' && <Simpler scroll={scroll} />}
    </>
  )
}

function Report({ message }: { message: ChatMessage }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OutlineButton outline={FLAG} label={t('Report a problem with this answer')} onClick={() => setOpen(true)} />
      {isOpen && <ReportDialog message={message} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Asks for the last answer in simpler words, where the agent offers that; in German also in the regulated Leichte Sprache. */
function Simpler({ scroll }: { scroll: ScrollControls }): ReactNode {
  const isOffered = useConfiguration((configuration) => configuration?.agent.choices.includes('simpler') ?? false)
  const language = useLanguage((state) => state.language)
  if (!isOffered) return null
  const ask = (prompt: string) => {
    send(prompt)
    scroll.showPrompt()
  }
  return (
    <>
      <Button className="small" onClick={() => ask(t('Explain your last answer more simply.'))}>
        {t('Explain more simply')}
      </Button>
      {language === 'de' && (
        <Button className="small" onClick={() => ask(LEICHTE_SPRACHE.prompt)} lang="de">
          {LEICHTE_SPRACHE.label}
        </Button>
      )}
    </>
  )
}

function ReadAloud({ message }: { message: ChatMessage }): ReactNode {
  const isReading = useReading((state) => state.message === message.id)
  if (isReading) return <IconButton icon="stop" className="small" label={t('Stop reading aloud')} onClick={stopReading} />
  return <OutlineButton outline={SPEAKER} label={t('Read aloud')} onClick={() => readAloud(message.id, textOf(message))} />
}
