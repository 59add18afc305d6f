import type { ChatSession } from '../chat-session.ts'
import type { ChatEffect } from './chat-effect.ts'
import type { ChatState } from './chat-state.ts'

/** A state, and the effects of reaching it, in order. */
export interface Step {
  state: ChatState
  effects: ChatEffect[]
}

export const step = (state: ChatState, ...effects: ChatEffect[]): Step => ({ state, effects })

/** Continues a step from its state. */
export function chain(first: Step, next: (state: ChatState) => Step): Step {
  const { state, effects } = next(first.state)
  return { state, effects: [...first.effects, ...effects] }
}

/** The state with another open session, if one is open. */
export const withSession = (state: ChatState, change: (session: ChatSession) => Partial<ChatSession>): ChatState =>
  state.session ? { ...state, session: { ...state.session, ...change(state.session) } } : state

/** Abandons the current work, and deletes what the server stores of a temporary chat. */
export function abandonWork(state: ChatState): Step {
  const abandoned = step({ ...state, workId: state.workId + 1, work: { kind: 'idle' } }, { type: 'abandon-work' })
  const discarded = chain(abandoned, discardTemporary)
  return chain(discarded, (next) => step(next, { type: 'report-connection', isLost: false }))
}

export const discardTemporary = (state: ChatState): Step =>
  state.temporaryKey === null ? step(state) : step({ ...state, temporaryKey: null }, { type: 'delete-session', key: state.temporaryKey })
