import type { ChatChunk, ChatMessagePart } from '../message.ts'
import type { Reducers } from './part-list.ts'

/** Marks where a model call begins. */
export type StepStartPart = Extract<ChatMessagePart, { type: 'step-start' }>

/** `type` of the chunk that discards what the current step has shown. A data part, because clients of the AI SDK 5 and 6 reject `reset-step`. */
const STEP_RESET_TYPE = 'data-step-reset'

export const stepResetChunk: Extract<ChatChunk, { type: `data-${string}` }> = { type: STEP_RESET_TYPE, data: {}, transient: true }

export const stepStartReducers: Reducers = {
  'start-step': (parts) => parts.push({ type: 'step-start' }),
  'finish-step': (parts) => parts.streams.clear(),
  [STEP_RESET_TYPE]: (parts) => {
    parts.all = parts.all.slice(0, parts.all.findLastIndex(({ type }) => type === 'step-start') + 1)
    parts.streams.clear()
  },
}
