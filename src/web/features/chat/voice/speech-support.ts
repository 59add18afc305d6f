/** What newer browsers can do beside the standard's first edition: hear without sending anything anywhere. */
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

/** The browser's speech recognition; undefined if it has none. */
export const recognitionType = (): RecognitionType | undefined =>
  (window as { SpeechRecognition?: RecognitionType }).SpeechRecognition ??
  (window as { webkitSpeechRecognition?: RecognitionType }).webkitSpeechRecognition

/** Whether the browser supports speech synthesis. */
export const canReadAloud = () => 'speechSynthesis' in window
