import { useLanguage } from '../../../../ui/language/language.ts'
import { t } from '../../../../ui/language/translate.ts'
import { notify } from '../../../../ui/notification.tsx'

/** Speech recognition with on-device processing, which newer browsers support. */
export interface Recognition extends EventTarget {
  lang: string
  interimResults: boolean
  processLocally?: boolean
  start(): void
  abort(): void
}
export interface RecognitionType {
  new (): Recognition
  available?(options: { langs: string[]; processLocally: true }): Promise<string>
}

export const recognitionType = (): RecognitionType | undefined =>
  (window as { SpeechRecognition?: RecognitionType }).SpeechRecognition ??
  (window as { webkitSpeechRecognition?: RecognitionType }).webkitSpeechRecognition

/** Whether the notice about the browser's speech service was shown on this page. */
let hasShownNotice = false

/** Calls `begin` at once if nobody but this device hears the visitor, otherwise once the visitor knows who does and wants to speak. */
export async function askBeforeListening(Type: RecognitionType, begin: (isLocal: boolean) => void): Promise<void> {
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

export interface Listener {
  /** Called with everything heard so far. */
  heard(text: string): void
  /** Called with a sentence for the visitor. */
  failed(why: string): void
  /** Called once, after silence, a failure or `abort`. */
  ended(): void
}

/** Recognizes speech until the visitor pauses, or until the returned function is called. */
export function recognizeSpeech(Type: RecognitionType, isLocal: boolean, listener: Listener): () => void {
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
