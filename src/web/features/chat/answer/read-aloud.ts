import { create } from 'zustand'
import { useLanguage } from '../../../language/language.ts'
import { wholeSentences } from './sentences.ts'

/** Which message is being read aloud. */
export const useReading = create<{ message: string | null }>(() => ({ message: null }))

/** Whether the browser has a voice at all. */
export const canReadAloud = () => 'speechSynthesis' in window

/** Reads an answer aloud, instead of what was being read. A sentence at a time: some browsers fall silent in long texts. */
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

/** Languages that are told by how they are written. Kana comes first: Japanese has Han characters too. */
const WRITTEN: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
]
/** So large a share of the letters is no quotation. */
const SHARE = 0.2

/** The language that a text is to be read in: by its script where that tells, otherwise the page's. */
export function languageOf(text: string): string {
  const { language, locale } = useLanguage.getState()
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const written = WRITTEN.find(([script]) => (text.match(script)?.length ?? 0) > letters * SHARE)?.[1]
  return !written || written === language ? locale : written
}
