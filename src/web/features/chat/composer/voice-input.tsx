import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import { changeDraft, draftOf } from '../../../state/drafts.ts'
import { notify } from '../../../../ui/notification.tsx'
import { OutlineButton } from '../outline-button.tsx'
import { askBeforeListening, type RecognitionType, recognitionType, recognizeSpeech } from './recognize-speech.ts'

const MICROPHONE =
  'M10 3a2.200 2.200 0 0 0-2.200 2.200v4.600a2.200 2.200 0 0 0 4.400 0V5.200A2.200 2.200 0 0 0 10 3ZM5 9.500a5 5 0 0 0 10 0M10 14.500v2.500'

/** Dictation, where the browser supports it. The browser listens and passes only the text to the page. */
export function VoiceInput({ chat }: { chat: string }): ReactNode {
  const [isListening, setListening] = useState(false)
  const stop = useRef<() => void>(undefined)
  // Dictation belongs to the chat where it began.
  useEffect(() => () => stop.current?.(), [chat])
  const Type = recognitionType()
  if (!Type) return null
  const listen = (isLocal: boolean) => {
    setListening(true)
    stop.current = transcribe(Type, isLocal, chat, () => setListening(false))
  }
  const press = () => {
    if (isListening) return stop.current?.()
    askBeforeListening(Type, listen).catch(console.error)
    return undefined
  }
  return (
    <OutlineButton
      outline={MICROPHONE}
      label={isListening ? t('Stop dictating') : t('Dictate')}
      aria-pressed={isListening}
      onClick={press}
    />
  )
}

/** Adds speech to the draft until silence, or until the returned function is called. */
function transcribe(Type: RecognitionType, isLocal: boolean, chat: string, onEnd: () => void): () => void {
  let shown = draftOf(chat).text
  const before = shown.trimEnd()
  const abort = recognizeSpeech(Type, isLocal, {
    heard(text) {
      // A text that was sent or edited meanwhile is not overwritten.
      if (draftOf(chat).text !== shown) return abort()
      shown = [before, text.trim()].filter(Boolean).join(' ')
      return changeDraft(chat, { text: shown })
    },
    failed: (message) => notify({ message, type: 'error' }),
    ended: onEnd,
  })
  return abort
}
