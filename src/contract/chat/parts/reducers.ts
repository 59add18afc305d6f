import type { ChatChunk } from '../message.ts'
import type { PartList } from './part-list.ts'

/** How chunks, by their type, change the parts of a message that is being built. */
export type Reducers = { [Type in ChatChunk['type']]?: (parts: PartList, chunk: Extract<ChatChunk, { type: Type }>) => void }
