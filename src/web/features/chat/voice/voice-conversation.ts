/** Why a voice conversation ended. `page`: the chat was left, its answer failed, or the page needs the visitor's decision. */
export type EndReason = 'visitor' | 'page' | 'silence' | 'hidden' | 'offline' | 'deaf' | 'mute'

/** A voice conversation. It never listens while it speaks, so it doesn't hear itself. */
export type VoiceConversation =
  | { phase: 'off' }
  /** `silentRounds`: how often nothing was heard since the last prompt. */
  | { phase: 'listening'; heard: string; silentRounds: number }
  | { phase: 'sending' }
  /** Waits for the answer's next sentence. */
  | { phase: 'thinking' }
  /** `isComplete`: nothing follows the `unspoken` sentences. */
  | { phase: 'speaking'; unspoken: number; isComplete: boolean }

export type VoiceEvent =
  | { type: 'begun'; isAnswering: boolean }
  /** Everything that was heard since listening began. */
  | { type: 'heard'; text: string }
  | { type: 'listening-ended' }
  | { type: 'answer-begun' }
  | { type: 'sentences-written'; sentences: readonly string[] }
  | { type: 'answer-ended' }
  | { type: 'sentence-spoken' }
  /** The visitor wants to speak instead of listening to the answer. */
  | { type: 'interrupted' }
  | { type: 'ended'; reason: EndReason }

export type VoiceEffect =
  | { type: 'listen' }
  | { type: 'stop-listening' }
  | { type: 'send'; prompt: string }
  | { type: 'speak'; sentences: readonly string[] }
  | { type: 'stop-speaking' }
  | { type: 'stop-answer' }
  | { type: 'end'; reason: EndReason }

type Step = [next: VoiceConversation, ...effects: VoiceEffect[]]

/** After this many rounds of silence, the conversation ends. */
const MAX_SILENT_ROUNDS = 2

export const OFF: VoiceConversation = { phase: 'off' }
const LISTENING: VoiceConversation = { phase: 'listening', heard: '', silentRounds: 0 }
const THINKING: VoiceConversation = { phase: 'thinking' }

/** The next state, and what has to be done. Events that don't fit the state change nothing. */
export function reduceVoice(state: VoiceConversation, event: VoiceEvent): Step {
  switch (event.type) {
    case 'begun':
      if (state.phase !== 'off') return [state]
      return event.isAnswering ? [THINKING] : [LISTENING, { type: 'listen' }]
    case 'heard':
      return state.phase === 'listening' ? [{ ...state, heard: event.text }] : [state]
    case 'listening-ended':
      return state.phase === 'listening' ? afterListening(state) : [state]
    case 'answer-begun':
      // The visitor has typed a prompt.
      if (state.phase === 'listening') return [THINKING, { type: 'stop-listening' }]
      return state.phase === 'sending' ? [THINKING] : [state]
    case 'sentences-written':
      return speak(state, event.sentences)
    case 'answer-ended':
      if (state.phase === 'speaking') return [{ ...state, isComplete: true }]
      return isAwaitingAnswer(state) ? [LISTENING, { type: 'listen' }] : [state]
    case 'sentence-spoken':
      return state.phase === 'speaking' ? afterSentence(state) : [state]
    case 'interrupted':
      return interrupt(state)
    case 'ended':
      return end(state, event.reason)
  }
}

const isAwaitingAnswer = ({ phase }: VoiceConversation): boolean => phase === 'sending' || phase === 'thinking'

function afterListening({ heard, silentRounds }: Extract<VoiceConversation, { phase: 'listening' }>): Step {
  const prompt = heard.trim()
  if (prompt !== '') return [{ phase: 'sending' }, { type: 'send', prompt }]
  const rounds = silentRounds + 1
  if (rounds >= MAX_SILENT_ROUNDS) return [OFF, { type: 'end', reason: 'silence' }]
  return [{ phase: 'listening', heard: '', silentRounds: rounds }, { type: 'listen' }]
}

function speak(state: VoiceConversation, sentences: readonly string[]): Step {
  if (sentences.length === 0 || (state.phase !== 'speaking' && !isAwaitingAnswer(state))) return [state]
  const unspoken = state.phase === 'speaking' ? state.unspoken : 0
  return [
    { phase: 'speaking', unspoken: unspoken + sentences.length, isComplete: false },
    { type: 'speak', sentences },
  ]
}

function afterSentence({ unspoken, isComplete }: Extract<VoiceConversation, { phase: 'speaking' }>): Step {
  if (unspoken > 1) return [{ phase: 'speaking', unspoken: unspoken - 1, isComplete }]
  return isComplete ? [LISTENING, { type: 'listen' }] : [THINKING]
}

function interrupt(state: VoiceConversation): Step {
  if (state.phase === 'thinking') return [LISTENING, { type: 'stop-answer' }, { type: 'listen' }]
  if (state.phase !== 'speaking') return [state]
  const stopAnswer: VoiceEffect[] = state.isComplete ? [] : [{ type: 'stop-answer' }]
  return [LISTENING, { type: 'stop-speaking' }, ...stopAnswer, { type: 'listen' }]
}

function end({ phase }: VoiceConversation, reason: EndReason): Step {
  if (phase === 'off') return [OFF]
  const stopping: VoiceEffect[] =
    phase === 'listening' ? [{ type: 'stop-listening' }] : phase === 'speaking' ? [{ type: 'stop-speaking' }] : []
  return [OFF, ...stopping, { type: 'end', reason }]
}
