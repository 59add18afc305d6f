import { type ChatMessage, textOf } from '../../../contract/message.ts'
import type { Turn } from '../../../contract/sessions.ts'
import { type ChatOptions, sendPrompt, stopTurn } from '../../api/calls.ts'
import { pauseAfter } from '../../api/connection.ts'
import { type FailureCode, failureSentence } from '../../api/failure.ts'
import { type AnswerOutcome, type AnswerReader, followAnswer } from '../../api/follow-answer.ts'
import type { Outcome } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { changes, type Unsent, useApplication } from '../../state/application-store.ts'
import { moveDraft } from '../../state/drafts.ts'
import { notify } from '../../ui/notification.tsx'
import { withFilesSent, withFilesSentAgain } from './composer/upload-pending-files.ts'
import { throttle } from './throttle.ts'

/** React hears of a growing answer at most this often: eight steps a second read as well as ten, and cost a fifth less. */
const PUBLISH_EVERY_MS = 125
/** More than this is not held back, so that no step has too much to draw; what people read grows by some 50 in one. */
const MAX_CHARACTERS_A_STEP = 6_000
/** How often a prompt is sent of which nothing came back. */
const SENDS = 3

/** Gives a prompt back to its writer, who stopped it before the server took it. */
type GiveBack = (key: string, unsent: Unsent) => void

/** One answer that is being written into the open session: shown while it grows, stopped on demand. */
export class RunningAnswer implements AnswerReader {
  /** The session's key: the server's, once the answer has begun. */
  key: string
  turn: string | undefined
  #begun: ((answer: RunningAnswer) => void) | undefined
  #hasBegun = false
  #stopWanted = false
  /** Ends the work that is done before the prompt is taken. */
  readonly #cancelling = new AbortController()
  /** Of the queue, once the prompt is in it. */
  readonly #leavingQueue = new AbortController()
  #isQueued = false
  #signal: AbortSignal
  /** So much is shown already: what a stream that begins anew brings is held back until it has come as far. */
  #shownCharacters = 0
  #publishedCharacters = 0
  #publish = throttle((message: ChatMessage) => {
    this.#publishedCharacters = textOf(message).length
    changes.answerProgressed(this.key, this.turn, message)
  }, PUBLISH_EVERY_MS)

  /** `begun` is called with the first chunk, when the key and the turn are the server's. */
  constructor(key: string, signal: AbortSignal, begun?: (answer: RunningAnswer) => void) {
    this.key = key
    this.#signal = signal
    this.#begun = begun
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Sends a prompt and follows its answer. When nothing comes back it is sent again, and the server takes it for the same. */
  async ask(agent: string, unsent: Unsent, options: ChatOptions, giveBack: GiveBack): Promise<AnswerOutcome> {
    const outcome = await this.#askWith(withFilesSent(unsent, this.#signal), agent, options, giveBack)
    const isFileGone = outcome.kind === 'refused' && outcome.code === 'file_unknown'
    const again = isFileGone ? withFilesSentAgain(unsent, this.#signal) : null
    return again ? this.#askWith(again, agent, options, giveBack) : outcome
  }

  /** Sends a prompt as soon as its files are at the server. */
  async #askWith(sending: Promise<Outcome<Unsent>>, agent: string, options: ChatOptions, giveBack: GiveBack): Promise<AnswerOutcome> {
    const ready = await sending.catch(() => null)
    if (!ready) return { kind: 'left' }
    if (!ready.ok) return { ...ready, kind: 'refused' }
    const unsent = ready.value
    for (let sends = 1; ; sends++) {
      const outcome = await this.#send(agent, unsent, options, giveBack)
      const canRepeat = outcome.kind === 'refused' && !this.#hasBegun && isUnheard(outcome.code)
      if (!canRepeat || sends === SENDS) return outcome
      await pauseAfter(sends - 1, this.#signal)
    }
  }

  /** Has a prompt answered that is stored, by this call. */
  repeat(call: (headers?: Record<string, string>) => Promise<Outcome<Turn>>): Promise<Outcome<Turn>> {
    return this.#proven(call)
  }

  async follow(start: { first: Response } | { turn: string }): Promise<AnswerOutcome> {
    if ('turn' in start) this.turn = start.turn
    const outcome = await followAnswer(start, this, AbortSignal.any([this.#signal, this.#leavingQueue.signal]))
    this.#publish.cancel()
    return outcome
  }

  onPlace(place: number): void {
    if (this.#signal.aborted) return
    this.#isQueued = true
    changes.placeChanged(this.key, place)
    if (this.#stopWanted) this.#leavingQueue.abort()
  }

  onMessage(message: ChatMessage): void {
    if (this.#signal.aborted) return
    if (!this.#hasBegun) this.#begin(message)
    const characters = textOf(message).length
    if (characters < this.#shownCharacters) return
    this.#shownCharacters = 0
    if (characters - this.#publishedCharacters > MAX_CHARACTERS_A_STEP) this.#publish.hurry(message)
    else this.#publish(message)
  }

  onConnection(connection: 'live' | 'reconnecting'): void {
    if (this.#signal.aborted) return
    this.#shownCharacters = shownCharacters()
    changes.connectionChanged(this.key, connection)
  }

  /** Stops the answer; before the turn is known, as soon as it is. What was written stays. */
  async stop(): Promise<void> {
    if (!this.turn) {
      this.#stopWanted = true
      this.#cancelling.abort()
      if (this.#isQueued) this.#leavingQueue.abort()
      return
    }
    const outcome = await stopTurn(this.turn)
    if (!outcome.ok) notify({ message: `${t('Couldn’t stop the answer.')} ${failureSentence(outcome.code)}`, type: 'error' })
  }

  async #send(agent: string, unsent: Unsent, options: ChatOptions, giveBack: GiveBack): Promise<AnswerOutcome> {
    const session = options.temporary ? '' : this.key
    const outcome = await this.#proven((headers) => sendPrompt(agent, session, unsent, options, this.#signal, headers)).catch(() => null)
    if (!outcome || this.#signal.aborted) return { kind: 'left' }
    if (!outcome.ok && outcome.challenge && this.#stopWanted) {
      giveBack(this.key, unsent)
      return { kind: 'left' }
    }
    if (!outcome.ok) return { ...outcome, kind: 'refused' }
    const answer = await this.follow({ first: outcome.value })
    if (answer.kind === 'left' && !this.#signal.aborted) giveBack(this.key, unsent)
    return answer
  }

  /** Calls, and calls again with the work that the server asks for. */
  async #proven<T>(call: (headers?: Record<string, string>) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const outcome = await call()
    if (outcome.ok || !outcome.challenge) return outcome
    const showProgress = (share: number) => changes.checkProgressed(this.key, share)
    showProgress(0)
    const loaded = await import('./proof-of-work.ts').catch(() => null)
    return loaded ? loaded.withProof(outcome, call, showProgress, AbortSignal.any([this.#signal, this.#cancelling.signal])) : outcome
  }

  #begin({ metadata }: ChatMessage): void {
    this.#hasBegun = true
    this.turn = metadata?.turnId ?? this.turn
    if (metadata?.promptId) changes.promptStored(this.key, metadata.promptId)
    if (metadata?.sessionId && metadata.sessionId !== this.key) {
      changes.keyReplaced(this.key, metadata.sessionId)
      moveDraft(this.key, metadata.sessionId)
      this.key = metadata.sessionId
    }
    this.#begun?.(this)
    if (this.#stopWanted) this.stop().catch(console.error)
  }
}

/** Whether the prompt may have been lost on its way, or its reply on the way back. */
const isUnheard = (code: FailureCode) => code === 'network' || code === 'no_reply'

/** Length of the growing answer's text, as it is shown. */
function shownCharacters(): number {
  const answer = useApplication.getState().currentSession?.answer
  return answer?.status === 'answering' ? textOf(answer.message).length : 0
}
