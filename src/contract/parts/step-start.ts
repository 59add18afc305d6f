import type { ChatMessagePart } from '../message.ts'
import type { Reducers } from './reducers.ts'

/** Marks where a model call begins. */
export type StepStartPart = Extract<ChatMessagePart, { type: 'step-start' }>

export const stepStartReducers: Reducers = {
  'start-step': (parts) => parts.push({ type: 'step-start' }),
  'finish-step': (parts) => parts.streams.clear(),
  'reset-step': (parts) => {
    parts.all = parts.all.slice(0, parts.all.findLastIndex(({ type }) => type === 'step-start') + 1)
    parts.streams.clear()
  },
}
