import { create } from 'zustand'
import { useLanguage } from '../../../../ui/language/language.ts'
import { wholeSentences } from './sentences.ts'

export const useReading = create<{ message: string | null }>(() => ({ message: null }))

export const canReadAloud = () => 'speechSynthesis' in window

/** Reads an answer aloud, replacing the current one. Speaks one sentence at a time, because some browsers fall silent in long texts. */
export function readAloud(message: string, markdown: string): void {
  stopReading()
  const { sentences } = wholeSentences(markdown, 0, false)
  const lang = languageOf(markdown)
  const last = sentences.length - 1
  useReading.setState({ message: last < 0 ? null : message })
  addEventListener('pagehide', stopReading, { once: true })
  for (const [index, sentence] of sentences.entries()) {
    const utterance = new SpeechSynthesisUtterance(sentence)
    utterance.lang = lang
    const end = () => {
      if (useReading.getState().message === message) stopReading()
    }
    utterance.addEventListener('error', end)
    if (index === last) utterance.addEventListener('end', end)
    speechSynthesis.speak(utterance)
  }
}

export function stopReading(): void {
  useReading.setState({ message: null })
  speechSynthesis.cancel()
}

/** Languages recognized by their script. Kana comes first, because Japanese also uses Han characters. */
const LANGUAGE_BY_SCRIPT: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
]
/** A larger share of the letters is more than a quotation. */
const MIN_SHARE = 0.2

/** Language in which to read a text: by its script if that is unambiguous, otherwise the page's. */
export function languageOf(text: string): string {
  const { language, locale } = useLanguage.getState()
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const detected = LANGUAGE_BY_SCRIPT.find(([script]) => (text.match(script)?.length ?? 0) > letters * MIN_SHARE)?.[1]
  return !detected || detected === language ? locale : detected
}
