import type { ChatMessagePart } from '../message.ts'

/** A file of a prompt; its `url` is `/api/v1/files/{id}`. */
export type FilePart = Extract<ChatMessagePart, { type: 'file' }>

export const filesOf = ({ parts }: { parts: readonly ChatMessagePart[] }): FilePart[] => parts.filter((part) => part.type === 'file')
