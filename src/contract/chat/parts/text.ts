import type { ChatMessagePart } from '../message.ts'
import { streamReducers } from './streamed-text.ts'

/** Markdown of an answer, or a prompt as typed. */
export type TextPart = Extract<ChatMessagePart, { type: 'text' }>

export const textReducers = streamReducers('text')
