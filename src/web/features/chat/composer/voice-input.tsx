import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import { changeDraft, draftOf } from '../../../state/drafts.ts'
import { notify } from '../../../../ui/notification.tsx'
import { OutlineButton } from '../outline-button.tsx'
import { useLanguage } from '../../../../ui/language/language.ts'

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

/** Speech recognition with on-device processing, which newer browsers support. */
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

/** Calls `begin` at once if nobody but this device hears the visitor, otherwise once the visitor knows who does and wants to speak. */
async function askBeforeListening(Type: RecognitionType, begin: (isLocal: boolean) => void): Promise<void> {
  const isLocal = await isAvailableLocally(Type)
  if (isLocal || hasShownNotice) return begin(isLocal)
  const speak = () => {
    hasShownNotice = true
    begin(false)
  }
  notify({
    message: t('Your browser turns your speech into text. Most browsers send your voice to their maker for this, not to this site.'),
    timeout: 0,
    actions: [{ label: t('Speak'), act: speak }],
  })
}

async function isAvailableLocally(Type: RecognitionType): Promise<boolean> {
  const options = { langs: [useLanguage.getState().locale], processLocally: true as const }
  return (await Type.available?.(options).catch(() => 'unavailable')) === 'available'
}

interface Listener {
  /** Called with everything heard so far. */
  heard(text: string): void
  /** Called with a sentence for the visitor. */
  failed(why: string): void
  /** Called once, after silence, a failure or `abort`. */
  ended(): void
}

/** Recognizes speech until the visitor pauses, or until the returned function is called. */
function recognizeSpeech(Type: RecognitionType, isLocal: boolean, listener: Listener): () => void {
  const recognition = new Type()
  recognition.lang = useLanguage.getState().locale
  recognition.interimResults = true
  if (isLocal) recognition.processLocally = true
  recognition.addEventListener('result', (event) => {
    const { results } = event as SpeechRecognitionEvent
    listener.heard([...results].map(([best]) => best?.transcript ?? '').join(''))
  })
  recognition.addEventListener('error', (event) => {
    const why = sentenceFor((event as SpeechRecognitionErrorEvent).error)
    if (why) listener.failed(why)
  })
  recognition.addEventListener('end', () => listener.ended(), { once: true })
  try {
    recognition.start()
  } catch (error) {
    console.error(error)
    listener.failed(couldNotTranscribe())
    listener.ended()
  }
  return () => recognition.abort()
}

/** `null` after silence, or if the visitor ended it. */
function sentenceFor(error: string): string | null {
  if (error === 'no-speech' || error === 'aborted') return null
  if (error === 'not-allowed' || error === 'service-not-allowed') {
    return t('Your browser blocked the microphone. Allow it in the address bar, or keep typing.')
  }
  return error === 'audio-capture' ? t('No microphone found. You can keep typing.') : couldNotTranscribe()
}

const couldNotTranscribe = () => t('Couldn’t transcribe what you said. Try again, or keep typing.')
