import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import type { FilePart } from '../../../../contract/parts/file.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './conversation-panel.css?inline'
import { converse, tellVoice } from './converse.ts'
import type { RecognitionType } from './speech-support.ts'
import { useVoice } from './use-voice.ts'
import type { VoiceConversation } from './voice-conversation.ts'

adoptStyles(styles)

interface ConversationPanelProps {
  Type: RecognitionType
  isLocal: boolean
  onSend(prompt: string, files: FilePart[]): void
  /** `hadFocus`: the focus was in the panel, which is gone. */
  onEnd(hadFocus: boolean): void
}

/** The state of a voice conversation, what was heard, and what ends it. It lasts as long as the panel. */
export default function ConversationPanel({ Type, isLocal, onSend, onEnd }: ConversationPanelProps): ReactNode {
  useTranslate()
  const conversation = useVoice((state) => state.conversation)
  const panel = useRef<HTMLDivElement>(null)
  const endButton = useRef<HTMLButtonElement>(null)
  const latest = useRef({ onSend, onEnd })
  useLayoutEffect(() => {
    latest.current = { onSend, onEnd }
  })
  useEffect(() => {
    return converse({
      Type,
      isLocal,
      send: (prompt, files) => latest.current.onSend(prompt, files),
      onEnd: () => latest.current.onEnd(panel.current?.contains(document.activeElement) ?? false),
    })
  }, [Type, isLocal])
  const interrupt = () => {
    // Its own button goes.
    endButton.current?.focus()
    tellVoice({ type: 'interrupted' })
  }
  const { phase } = conversation
  return (
    <div ref={panel} className="conversation" role="group" aria-label={t('Voice conversation')} data-phase={phase}>
      <i aria-hidden="true" />
      <p role="status">{nameOf(phase)}</p>
      <p className="heard" dir="auto">
        {phase === 'listening' && conversation.heard}
      </p>
      <div className="voice-buttons">
        {(phase === 'thinking' || phase === 'speaking') && (
          <Button variant="outline" className="small" onClick={interrupt}>
            {t('Interrupt and speak')}
          </Button>
        )}
        <Button ref={endButton} variant="outline" className="small" onClick={() => tellVoice({ type: 'ended', reason: 'visitor' })}>
          {t('End conversation')}
        </Button>
      </div>
    </div>
  )
}

function nameOf(phase: VoiceConversation['phase']): string {
  switch (phase) {
    case 'off':
      return ''
    case 'listening':
      return t('Listening…')
    case 'sending':
      return t('Sending…')
    case 'thinking':
      return t('Thinking…')
    case 'speaking':
      return t('Speaking…')
  }
}
