import type { FilePart } from '../../../../contract/parts/file.ts'
import { t } from '../../../language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { addWaiting, changeDraft, draftOf, openDraftKey, storedParts } from '../../../state/drafts.ts'
import { notify } from '../../../ui/notification.tsx'
import { languageOf, stopReading, useReading } from '../answer/read-aloud.ts'
import { stop } from '../chat-actions.ts'
import { useQuestion } from '../composer/question.ts'
import { untilChatLeft } from '../notification-ends.ts'
import { recognizeSpeech } from './recognize-speech.ts'
import type { RecognitionType } from './speech-support.ts'
import { SpokenAnswer } from './spoken-answer.ts'
import { useVoice } from './use-voice.ts'
import { type EndReason, OFF, reduceVoice, type VoiceEffect, type VoiceEvent } from './voice-conversation.ts'

/** Some browsers never end listening by themselves; this long after the last word, it is ended. */
const LISTENING_LIMIT_MS = 20_000

export interface ConverseOptions {
  Type: RecognitionType
  /** Whether speech is recognized on the device. */
  isLocal: boolean
  send(prompt: string, files: FilePart[]): void
  onEnd(): void
}

/** What the running conversation does with an event. */
let receive: (event: VoiceEvent) => void = () => {}

/** Tells the running conversation what the visitor wants. */
export const tellVoice = (event: VoiceEvent): void => receive(event)

/** Begins a voice conversation in the open chat. There is at most one. Returns a function that ends it. */
export function converse(options: ConverseOptions): () => void {
  const running = new AbortController()
  const { signal } = running
  const answer = new SpokenAnswer()
  const mouth = new Mouth((event) => dispatch(event))
  const ear = new Ear(options, (event) => dispatch(event))
  const perform = (effect: VoiceEffect) => {
    switch (effect.type) {
      case 'listen':
        return ear.listen()
      case 'stop-listening':
        return ear.stop()
      case 'send':
        return sendSpoken(effect.prompt, options)
      case 'speak':
        return mouth.speak(effect.sentences, languageOf(answer.text))
      case 'stop-speaking':
        return mouth.stop()
      case 'stop-answer':
        return stop()
      case 'end':
        running.abort()
        for (const leave of subscriptions) leave()
        tellEnd(effect.reason)
        return options.onEnd()
    }
  }
  const dispatch = (event: VoiceEvent) => {
    const [conversation, ...effects] = reduceVoice(useVoice.getState().conversation, event)
    useVoice.setState({ conversation })
    for (const effect of effects) perform(effect)
  }
  const end = (reason: EndReason) => dispatch({ type: 'ended', reason })

  stopReading()
  receive = dispatch
  useVoice.setState({ conversation: OFF })
  const subscriptions = [
    useApplication.subscribe(({ currentSession }, before) => {
      if (currentSession !== before.currentSession) for (const event of answer.read(currentSession, before.currentSession)) dispatch(event)
    }),
    // What the visitor has to decide first would never be answered aloud.
    useQuestion.subscribe(({ dialog }) => dialog && end('page')),
    useReading.subscribe(({ message }) => message !== null && end('visitor')),
  ]
  document.addEventListener('visibilitychange', () => document.hidden && end('hidden'), { signal })
  addEventListener('pagehide', () => end('hidden'), { signal })
  addEventListener('offline', () => end('offline'), { signal })
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal, :popover-open')) return
      event.preventDefault()
      end('visitor')
    },
    { signal },
  )
  dispatch({ type: 'begun', isAnswering: useApplication.getState().isSendingChat })
  return () => end('page')
}

/** Listens for one prompt at a time. */
class Ear {
  readonly #options: ConverseOptions
  readonly #dispatch: (event: VoiceEvent) => void
  #abort: (() => void) | null = null

  constructor(options: ConverseOptions, dispatch: (event: VoiceEvent) => void) {
    this.#options = options
    this.#dispatch = dispatch
  }

  listen(): void {
    this.stop()
    const { Type, isLocal } = this.#options
    let timer: ReturnType<typeof setTimeout> | undefined
    let isCurrent = true
    const leave = () => {
      isCurrent = false
      clearTimeout(timer)
    }
    const finish = (event: VoiceEvent) => {
      if (!isCurrent) return
      leave()
      this.#abort = null
      this.#dispatch(event)
    }
    let abort = () => {}
    const limit = () => {
      clearTimeout(timer)
      timer = setTimeout(() => abort(), LISTENING_LIMIT_MS)
    }
    abort = recognizeSpeech(Type, isLocal, {
      heard: (text) => {
        if (!isCurrent) return
        limit()
        this.#dispatch({ type: 'heard', text })
      },
      failed: (message) => {
        if (isCurrent) notify({ message, type: 'error' })
        finish({ type: 'ended', reason: 'deaf' })
      },
      ended: () => finish({ type: 'listening-ended' }),
    })
    if (!isCurrent) return
    limit()
    this.#abort = () => {
      leave()
      abort()
    }
  }

  stop(): void {
    this.#abort?.()
    this.#abort = null
  }
}

/** Reads sentences aloud in their order. */
class Mouth {
  readonly #dispatch: (event: VoiceEvent) => void
  /** Those that are not spoken yet. Some browsers forget the events of utterances that nothing refers to. */
  #utterances = new Set<SpeechSynthesisUtterance>()

  constructor(dispatch: (event: VoiceEvent) => void) {
    this.#dispatch = dispatch
  }

  speak(sentences: readonly string[], lang: string): void {
    for (const sentence of sentences) {
      const utterance = new SpeechSynthesisUtterance(sentence)
      utterance.lang = lang
      this.#utterances.add(utterance)
      utterance.addEventListener('end', () => {
        if (this.#utterances.delete(utterance)) this.#dispatch({ type: 'sentence-spoken' })
      })
      utterance.addEventListener('error', ({ error }) => {
        const isReplaced = error === 'canceled' || error === 'interrupted'
        if (this.#utterances.delete(utterance)) this.#dispatch({ type: 'ended', reason: isReplaced ? 'visitor' : 'mute' })
      })
      speechSynthesis.speak(utterance)
    }
  }

  stop(): void {
    this.#utterances.clear()
    speechSynthesis.cancel()
  }
}

/** Sends a prompt with the attached files, after the running answer if there is one. What is typed stays in the message box. */
function sendSpoken(prompt: string, { send }: ConverseOptions): void {
  const { currentSession, isSendingChat } = useApplication.getState()
  const key = openDraftKey(currentSession)
  const draft = draftOf(key)
  const files = storedParts(draft)
  changeDraft(key, { files: draft.files.filter(({ status }) => status !== 'stored') })
  if (isSendingChat) addWaiting(key, { id: crypto.randomUUID(), text: prompt, files })
  else send(prompt, files)
}

/** Says why it ended, where the page doesn't show it. */
function tellEnd(reason: EndReason): void {
  const message = sentenceFor(reason)
  if (message) notify({ message, timeout: 0, until: untilChatLeft })
}

function sentenceFor(reason: EndReason): string | null {
  switch (reason) {
    case 'silence':
      return t('The voice conversation ended because nothing was heard.')
    case 'hidden':
      return t('The voice conversation ended because this page was in the background.')
    case 'offline':
      return t('The voice conversation ended because you’re offline.')
    case 'mute':
      return t('The voice conversation ended because your browser couldn’t read the answer aloud.')
    default:
      return null
  }
}
