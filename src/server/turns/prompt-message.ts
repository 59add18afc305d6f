import { filePath } from '../../contract/files.ts'
import type { ChatMessage } from '../../contract/message.ts'
import type { FileFacts } from '../store/files.ts'
import { newMessageId } from './ids.ts'

/** A visitor's message: the files that go with it, and the text. Undefined when one of the files is not there. */
export function promptMessage(text: string, files: readonly (FileFacts | null)[]): ChatMessage | undefined {
  const known = files.filter((file) => file !== null)
  if (known.length < files.length) return undefined
  const parts = known.map(({ id, name, mediaType }) => ({ type: 'file', mediaType, filename: name, url: filePath(id) }) as const)
  return { id: newMessageId(), role: 'user', parts: [...parts, { type: 'text', text }] }
}
