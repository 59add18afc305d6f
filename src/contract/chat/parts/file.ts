import type { ChatMessagePart } from '../message.ts'
import type { Reducers } from './reducers.ts'

/** A file of a prompt; its `url` is `/api/v1/files/{id}`. */
export type FilePart = Extract<ChatMessagePart, { type: 'file' }>

export const fileReducers: Reducers = { file: (parts, chunk) => parts.push(chunk) }

/** The files of a prompt. */
export const filesOf = ({ parts }: { parts: readonly ChatMessagePart[] }): FilePart[] => parts.filter((part) => part.type === 'file')
