import * as answers from './answer-transitions.ts'
import type { ChatEvent, Of } from './chat-event.ts'
import type { ChatState } from './chat-state.ts'
import * as requests from './request-transitions.ts'
import * as sessions from './session-transitions.ts'
import { type Step, step } from './step.ts'

type Transitions = { [Type in ChatEvent['type']]: (state: ChatState, event: Of<ChatEvent, Type>) => Step }

const TRANSITIONS: Transitions = {
  'session-opened': sessions.openSession,
  'chat-closed': sessions.closeChat,
  'consent-withdrawn': sessions.withdrawConsent,
  'session-listed': sessions.syncSession,
  'session-received': sessions.receiveSession,
  'session-failed': sessions.failToLoad,
  'session-renamed': sessions.renameSession,
  'earlier-received': sessions.prependMessages,
  'feedback-given': sessions.giveFeedback,
  'version-chosen': sessions.chooseVersion,
  'version-settled': sessions.showVersion,
  'page-left': sessions.leavePage,

  'prompt-submitted': requests.submitPrompt,
  'edit-submitted': requests.submitEdit,
  'regenerate-requested': requests.regenerate,
  'retry-requested': requests.retry,
  'prompt-withdrawn': sessions.withdrawPrompt,
  'stop-requested': requests.stop,
  'proof-required': requests.showProof,
  'turn-accepted': requests.acceptTurn,

  'answer-begun': answers.beginAnswer,
  'answer-progressed': answers.growAnswer,
  'connection-changed': answers.changeConnection,
  'answer-ended': answers.endAnswer,
  'answer-rejected': answers.rejectAnswer,
}

/** Returns the next state and the effects to run. Pure; ignores events that don't apply. */
export function reduceChat(state: ChatState, event: ChatEvent): Step {
  if ('workId' in event && event.workId !== state.workId) return step(state)
  const transition = TRANSITIONS[event.type] as (state: ChatState, event: ChatEvent) => Step
  return transition(state, event)
}
