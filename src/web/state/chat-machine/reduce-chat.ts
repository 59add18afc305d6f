import { beginAnswer, changeConnection, endAnswer, growAnswer, rejectAnswer } from './answer-transitions.ts'
import type { ChatEvent, Of } from './chat-event.ts'
import type { ChatState } from './chat-state.ts'
import {
  acceptTurn,
  leaveQueue,
  regenerate,
  retry,
  showProofProgress,
  showQueuePosition,
  stop,
  submitEdit,
  submitPrompt,
  acceptUploads,
} from './request-transitions.ts'
import {
  chooseVersion,
  closeChat,
  failToLoad,
  failToShowVersion,
  giveFeedback,
  leavePage,
  openSession,
  prependMessages,
  receiveSession,
  renameSession,
  revertFeedback,
  settleFeedback,
  showVersion,
  syncSession,
  withdrawConsent,
  withdrawPrompt,
} from './session-transitions.ts'
import { type Step, step } from './step.ts'

type Transitions = { [Type in ChatEvent['type']]: (state: ChatState, event: Of<ChatEvent, Type>) => Step }

const TRANSITIONS: Transitions = {
  'session-opened': openSession,
  'chat-closed': closeChat,
  'consent-withdrawn': withdrawConsent,
  'session-listed': syncSession,
  'session-received': receiveSession,
  'session-failed': failToLoad,
  'session-renamed': renameSession,
  'earlier-received': prependMessages,
  'feedback-given': giveFeedback,
  'feedback-stored': settleFeedback,
  'feedback-failed': revertFeedback,
  'version-chosen': chooseVersion,
  'version-shown': showVersion,
  'version-failed': failToShowVersion,
  'page-left': leavePage,

  'prompt-submitted': submitPrompt,
  'edit-submitted': submitEdit,
  'regenerate-requested': regenerate,
  'retry-requested': retry,
  'prompt-withdrawn': withdrawPrompt,
  'stop-requested': stop,
  'files-uploaded': acceptUploads,
  'proof-progressed': showProofProgress,
  'queue-position-changed': showQueuePosition,
  'queue-left': leaveQueue,
  'turn-accepted': acceptTurn,

  'answer-begun': beginAnswer,
  'answer-progressed': growAnswer,
  'connection-changed': changeConnection,
  'answer-ended': endAnswer,
  'answer-rejected': rejectAnswer,
}

/** Returns the next state and the effects to run. Pure; ignores events that don't apply. */
export function reduceChat(state: ChatState, event: ChatEvent): Step {
  if ('workId' in event && event.workId !== state.workId) return step(state)
  const transition = TRANSITIONS[event.type] as (state: ChatState, event: ChatEvent) => Step
  return transition(state, event)
}
