import type { ChatChunk } from '../message.ts'
import { fileReducers } from './file.ts'
import type { PartKind } from './part-kinds.ts'
import type { PartList } from './part-list.ts'
import { reasoningReducers } from './reasoning.ts'
import type { Reducers } from './reducers.ts'
import { sourceDocumentReducers } from './source-document.ts'
import { sourceUrlReducers } from './source-url.ts'
import { stepStartReducers } from './step-start.ts'
import { textReducers } from './text.ts'
import { toolReducers } from './tool.ts'
import { topicsReducers } from './topics.ts'

export const PART_REDUCERS = {
  text: textReducers,
  reasoning: reasoningReducers,
  'step-start': stepStartReducers,
  file: fileReducers,
  'source-url': sourceUrlReducers,
  'source-document': sourceDocumentReducers,
  tool: toolReducers,
  'data-topics': topicsReducers,
} satisfies Record<PartKind, Reducers>

type Reduce = (parts: PartList, chunk: ChatChunk) => void

const REDUCERS = new Map(Object.values(PART_REDUCERS).flatMap((reducers) => Object.entries(reducers) as [string, Reduce][]))

/** Applies a chunk to the parts of a message; ignores chunks of unknown types. */
export function reduceChunk(parts: PartList, chunk: ChatChunk): void {
  REDUCERS.get(chunk.type)?.(parts, chunk)
}
