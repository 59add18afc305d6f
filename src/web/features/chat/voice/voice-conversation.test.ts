import { expect, test } from 'vitest'
import { OFF, reduceVoice, type VoiceConversation, type VoiceEffect, type VoiceEvent } from './voice-conversation.ts'

const listening = (heard = '', silentRounds = 0): VoiceConversation => ({ phase: 'listening', heard, silentRounds })
const SENDING: VoiceConversation = { phase: 'sending' }
const THINKING: VoiceConversation = { phase: 'thinking' }
const speaking = (unspoken: number, isComplete = false): VoiceConversation => ({ phase: 'speaking', unspoken, isComplete })

const LISTEN: VoiceEffect = { type: 'listen' }
const STOP_LISTENING: VoiceEffect = { type: 'stop-listening' }
const STOP_SPEAKING: VoiceEffect = { type: 'stop-speaking' }
const STOP_ANSWER: VoiceEffect = { type: 'stop-answer' }
const send = (prompt: string): VoiceEffect => ({ type: 'send', prompt })
const speak = (...sentences: string[]): VoiceEffect => ({ type: 'speak', sentences })
const END: VoiceEffect = { type: 'end', reason: 'hidden' }

const begun = (isAnswering: boolean): VoiceEvent => ({ type: 'begun', isAnswering })
const heard = (text: string): VoiceEvent => ({ type: 'heard', text })
const written = (...sentences: string[]): VoiceEvent => ({ type: 'sentences-written', sentences })
const LISTENING_ENDED: VoiceEvent = { type: 'listening-ended' }
const ANSWER_BEGUN: VoiceEvent = { type: 'answer-begun' }
const ANSWER_ENDED: VoiceEvent = { type: 'answer-ended' }
const SPOKEN: VoiceEvent = { type: 'sentence-spoken' }
const INTERRUPTED: VoiceEvent = { type: 'interrupted' }
const ENDED: VoiceEvent = { type: 'ended', reason: 'hidden' }

const ALL: VoiceConversation[] = [OFF, listening(), listening('Hi', 1), SENDING, THINKING, speaking(2), speaking(1, true)]

/** Every transition: state, event, next state and effects. What is missing changes nothing. */
const TRANSITIONS: [VoiceConversation, VoiceEvent, VoiceConversation, ...VoiceEffect[]][] = [
  [OFF, begun(false), listening(), LISTEN],
  [OFF, begun(true), THINKING],
  [listening(), heard('What is'), listening('What is')],
  [listening('Hi', 1), heard('Hi you'), listening('Hi you', 1)],
  [listening(), LISTENING_ENDED, listening('', 1), LISTEN],
  [listening('  ', 1), LISTENING_ENDED, OFF, { type: 'end', reason: 'silence' }],
  [listening(' Hi ', 1), LISTENING_ENDED, SENDING, send('Hi')],
  [listening('Hi', 1), ANSWER_BEGUN, THINKING, STOP_LISTENING],
  [SENDING, ANSWER_BEGUN, THINKING],
  [SENDING, written('One.'), speaking(1), speak('One.')],
  [SENDING, ANSWER_ENDED, listening(), LISTEN],
  [THINKING, written('One.', 'Two.'), speaking(2), speak('One.', 'Two.')],
  [THINKING, ANSWER_ENDED, listening(), LISTEN],
  [THINKING, INTERRUPTED, listening(), STOP_ANSWER, LISTEN],
  [speaking(2), written('Three.'), speaking(3), speak('Three.')],
  [speaking(2), SPOKEN, speaking(1)],
  [speaking(1), SPOKEN, THINKING],
  [speaking(2), ANSWER_ENDED, speaking(2, true)],
  [speaking(2, true), SPOKEN, speaking(1, true)],
  [speaking(1, true), SPOKEN, listening(), LISTEN],
  [speaking(2), INTERRUPTED, listening(), STOP_SPEAKING, STOP_ANSWER, LISTEN],
  [speaking(1, true), INTERRUPTED, listening(), STOP_SPEAKING, LISTEN],
  [listening(), ENDED, OFF, STOP_LISTENING, END],
  [SENDING, ENDED, OFF, END],
  [THINKING, ENDED, OFF, END],
  [speaking(2), ENDED, OFF, STOP_SPEAKING, END],
]

test.each(TRANSITIONS)('%o and %o: %o', (state, event, ...step) => {
  expect(reduceVoice(state, event)).toEqual(step)
})

const UNFIT: [VoiceEvent, VoiceConversation['phase'][]][] = [
  [begun(false), ['listening', 'sending', 'thinking', 'speaking']],
  [heard('late'), ['off', 'sending', 'thinking', 'speaking']],
  [LISTENING_ENDED, ['off', 'sending', 'thinking', 'speaking']],
  [ANSWER_BEGUN, ['off', 'thinking', 'speaking']],
  [written('late'), ['off', 'listening']],
  [written(), ['off', 'listening', 'sending', 'thinking', 'speaking']],
  [ANSWER_ENDED, ['off', 'listening']],
  [SPOKEN, ['off', 'listening', 'sending', 'thinking']],
  [INTERRUPTED, ['off', 'listening', 'sending']],
  [ENDED, ['off']],
]

test.each(UNFIT)('%o changes nothing where it doesn’t fit', (event, phases) => {
  for (const state of ALL.filter(({ phase }) => phases.includes(phase))) expect(reduceVoice(state, event)).toEqual([state])
})

/** Follows events from the start, and checks what may never be: listening and speaking at once. */
function follow(events: VoiceEvent[]): VoiceConversation {
  let state = OFF
  let [isListening, isSpeaking] = [false, false]
  for (const event of events) {
    if (event.type === 'listening-ended' && state.phase === 'listening') isListening = false
    const [next, ...effects] = reduceVoice(state, event)
    if (state.phase === 'speaking' && next.phase !== 'speaking') isSpeaking = false
    for (const { type } of effects) {
      if (type === 'stop-listening') isListening = false
      if (type === 'listen') isListening = true
      if (type === 'speak') isSpeaking = true
    }
    state = next
    expect([isListening, isSpeaking]).toEqual([state.phase === 'listening', state.phase === 'speaking'])
  }
  return state
}

test('it never listens while it speaks, whatever happens in whatever order', () => {
  const events: VoiceEvent[] = [
    heard('Hi'),
    LISTENING_ENDED,
    ANSWER_BEGUN,
    written('One.'),
    ANSWER_ENDED,
    SPOKEN,
    INTERRUPTED,
    ENDED,
    begun(false),
  ]
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const ends = new Set<string>()
  for (let run = 0; run < 300; run += 1) {
    const { phase } = follow([begun(run % 2 === 0), ...Array.from({ length: 30 }, () => events[random(events.length)] as VoiceEvent)])
    ends.add(phase)
  }
  expect(ends).toEqual(new Set(['off', 'listening', 'sending', 'thinking', 'speaking']))
})

test('a whole conversation goes round', () => {
  const round = [heard('Hi'), LISTENING_ENDED, ANSWER_BEGUN, written('Hello.'), SPOKEN, written('How are you?'), ANSWER_ENDED, SPOKEN]
  expect(follow([begun(false), ...round, ...round])).toEqual(listening())
})
