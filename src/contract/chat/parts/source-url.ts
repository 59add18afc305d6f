import type { ChatMessagePart } from '../message.ts'
import type { Reducers } from './reducers.ts'

/** A web page that the model's provider searched. */
export type SourceUrlPart = Extract<ChatMessagePart, { type: 'source-url' }>

export const sourceUrlReducers: Reducers = { 'source-url': (parts, chunk) => parts.push(chunk) }
