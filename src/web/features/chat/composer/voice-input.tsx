import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../../language/language.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import { changeDraft, draftOf } from '../../../state/drafts.ts'
import { notify } from '../../../ui/notification.tsx'
import { OutlineButton } from '../outline-button.tsx'

const MICROPHONE =
  'M10 3a2.200 2.200 0 0 0-2.200 2.200v4.600a2.200 2.200 0 0 0 4.400 0V5.200A2.200 2.200 0 0 0 10 3ZM5 9.500a5 5 0 0 0 10 0M10 14.500v2.500'

/** What newer browsers can do beside the standard's first edition: hear without sending anything anywhere. */
interface Recognition extends EventTarget {
  lang: string
  interimResults: boolean
  processLocally?: boolean
  start(): void
  abort(): void
}
interface RecognitionType {
  new (): Recognition
  available?(options: { langs: string[]; processLocally: true }): Promise<string>
}

const recognitionType = (): RecognitionType | undefined =>
  (window as { SpeechRecognition?: RecognitionType }).SpeechRecognition ??
  (window as { webkitSpeechRecognition?: RecognitionType }).webkitSpeechRecognition

/** Whether the notice about the browser's speech service was shown on this page. */
let hasShownNotice = false

/** Dictation, where the browser supports it. The browser listens and passes only the text to the page. */
export function VoiceInput({ chat }: { chat: string }): ReactNode {
  useTranslate()
  const [isListening, setListening] = useState(false)
  const stop = useRef<() => void>(undefined)
  // Dictation belongs to the chat where it began.
  useEffect(() => () => stop.current?.(), [chat])
  const Type = recognitionType()
  if (!Type) return null
  const listen = (isLocal: boolean) => {
    hasShownNotice ||= !isLocal
    setListening(true)
    stop.current = transcribe(new Type(), isLocal, chat, () => setListening(false))
  }
  const press = () => {
    if (isListening) return stop.current?.()
    isAvailableLocally(Type)
      .then((isLocal) => {
        if (isLocal || hasShownNotice) return listen(isLocal)
        return notify({
          message: t('Your browser turns your speech into text. Most browsers send your voice to their maker for this, not to this site.'),
          timeout: 0,
          actions: [{ label: t('Speak'), act: () => listen(false) }],
        })
      })
      .catch(console.error)
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

/** Whether the browser recognizes this language on the device. */
async function isAvailableLocally(Type: RecognitionType): Promise<boolean> {
  const options = { langs: [useLanguage.getState().locale], processLocally: true as const }
  return (await Type.available?.(options).catch(() => 'unavailable')) === 'available'
}

/** Transcribes speech until silence, or until the returned function is called. */
function transcribe(recognition: Recognition, isLocal: boolean, chat: string, onEnd: () => void): () => void {
  let shown = draftOf(chat).text
  const before = shown.trimEnd()
  recognition.lang = useLanguage.getState().locale
  recognition.interimResults = true
  if (isLocal) recognition.processLocally = true
  recognition.addEventListener('result', (event) => {
    // A text that was sent or edited meanwhile is not overwritten.
    if (draftOf(chat).text !== shown) return recognition.abort()
    const heard = [...(event as SpeechRecognitionEvent).results].map(([best]) => best?.transcript ?? '').join('')
    shown = [before, heard.trim()].filter(Boolean).join(' ')
    changeDraft(chat, { text: shown })
  })
  recognition.addEventListener('error', (event) => {
    const why = transcriptionError((event as SpeechRecognitionErrorEvent).error)
    if (why) notify({ message: why, type: 'error' })
  })
  recognition.addEventListener('end', onEnd)
  recognition.start()
  return () => recognition.abort()
}

/** `null` after silence, or if the visitor ended it. */
function transcriptionError(error: string): string | null {
  if (error === 'no-speech' || error === 'aborted') return null
  if (error === 'not-allowed' || error === 'service-not-allowed') {
    return t('Your browser blocked the microphone. Allow it in the address bar, or keep typing.')
  }
  return error === 'audio-capture'
    ? t('No microphone found. You can keep typing.')
    : t('Couldn’t transcribe what you said. Try again, or keep typing.')
}
