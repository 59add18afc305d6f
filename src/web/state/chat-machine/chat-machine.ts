import type { ChatSession } from '../chat-session.ts'
import type { ChatEffect } from './chat-effect.ts'
import type { ChatEvent, WorkReport } from './chat-event.ts'
import { type ChatState, INITIAL_CHAT } from './chat-state.ts'
import { reduceChat } from './reduce-chat.ts'

/** The current work, for effects that take time: `signal` aborts when it is abandoned, and later reports are ignored. */
export interface WorkContext {
  signal: AbortSignal
  report(event: WorkReport): void
}

/** Does what the reducer wants, and reports what comes of it. */
export type RunEffect = (effect: RunnableEffect, work: WorkContext) => void

/** All effects but `abandon-work`, which the machine does itself. */
export type RunnableEffect = Exclude<ChatEffect, { type: 'abandon-work' }>

/** Holds the state of the open chat: reduces events one at a time, in order, and runs their effects. */
export class ChatMachine {
  #state: ChatState
  #work = new AbortController()
  #events: ChatEvent[] = []
  #isReducing = false
  readonly #run: RunEffect
  readonly #onChange: (state: ChatState) => void

  constructor(run: RunEffect, onChange: (state: ChatState) => void, session: ChatSession | null = null) {
    this.#state = { ...INITIAL_CHAT, session }
    this.#run = run
    this.#onChange = onChange
  }

  get state(): ChatState {
    return this.#state
  }

  /** Events that effects and listeners dispatch are reduced after the effects of the current one. */
  dispatch = (event: ChatEvent): void => {
    this.#events.push(event)
    if (this.#isReducing) return
    this.#isReducing = true
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) this.#reduce(next)
    } finally {
      this.#isReducing = false
    }
  }

  #reduce(event: ChatEvent): void {
    const { state, effects } = reduceChat(this.#state, event)
    const isChanged = state !== this.#state
    this.#state = state
    if (isChanged) this.#onChange(state)
    for (const effect of effects) this.#runEffect(effect)
  }

  #runEffect(effect: ChatEffect): void {
    if (effect.type === 'abandon-work') {
      this.#work.abort()
      this.#work = new AbortController()
      return
    }
    const { workId } = this.#state
    this.#run(effect, { signal: this.#work.signal, report: (report) => this.dispatch({ ...report, workId }) })
  }
}
