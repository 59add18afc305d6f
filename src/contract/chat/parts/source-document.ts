import type { ChatMessagePart } from '../message.ts'
import type { Reducers } from './reducers.ts'

/** A passage that the answer may cite by number; `citationOf` reads its details. */
export type SourceDocumentPart = Extract<ChatMessagePart, { type: 'source-document' }>

export const sourceDocumentReducers: Reducers = { 'source-document': (parts, chunk) => parts.push(chunk) }
