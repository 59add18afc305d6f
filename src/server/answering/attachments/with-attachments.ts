import { fileIdOf } from '../../../contract/chat/files.ts'
import type { ChatMessage, ChatMessagePart } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { type FilePart, filesOf } from '../../../contract/chat/parts/file.ts'
import { estimateTokens } from '../../models/tokens/estimate-tokens.ts'
import { cutAtSentence, trimmedText } from '../filters/trim-output.ts'
import { untrustedContent } from '../tools/untrusted-content.ts'

/** A file of a chat: the bytes of an image, the text of anything else. */
export interface AttachedFile {
  name: string
  mediaType: string
  content: Uint8Array
  text: string | null
}

/** Reads files of the chat by id; missing files are left out. */
export type ReadFiles = (ids: readonly string[]) => Promise<ReadonlyMap<string, AttachedFile>>

/** Images cost tokens in every prompt: only the newest are sent, earlier ones are named. */
const MAX_IMAGES = 4
/** Most characters repeated of a file of an earlier prompt. */
const MAX_EARLIER_CHARACTERS = 4_000
/** Most tokens always read of the newest prompt's files. */
const MIN_FILE_TOKENS = 500
/** Most files read, starting with the newest message. */
const MAX_FILES = 16

/**
 * Adds the visitor's files to the messages. Text replaces the file, marked as untrusted. Images stay file parts with their bytes if
 * the model accepts images and they are among the newest. Text names the files that the model doesn't get. The newest prompt's texts
 * are cut to what `maxTokens` leave beside the prompt.
 */
export async function withAttachments(
  messages: readonly ChatMessage[],
  { readFiles, acceptsImages, maxTokens }: { readFiles: ReadFiles; acceptsImages: boolean; maxTokens: number },
): Promise<ChatMessage[]> {
  const ids = messages.flatMap((message) => message.parts.flatMap((part) => idOf(message, part) ?? []))
  if (ids.length === 0) return [...messages]
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  const files = await readFiles(ids.slice(-MAX_FILES))
  let images = acceptsImages ? MAX_IMAGES : 0
  const prompt = messages[newest]
  const texts = (prompt ? filesOf(prompt) : []).flatMap((part) => files.get(fileIdOf(part.url) ?? '')?.text ?? [])
  const room = Math.max(MIN_FILE_TOKENS, maxTokens - estimateTokens(prompt ? textOf(prompt) : '')) / Math.max(1, texts.length)
  const shown = messages.toReversed().map((message, fromEnd) => {
    const isNewest = messages.length - 1 - fromEnd === newest
    const parts = message.parts.toReversed().map((part) => {
      const id = idOf(message, part)
      if (id === undefined || part.type !== 'file') return part
      const file = files.get(id)
      if (file && file.text === null && images > 0) {
        images -= 1
        return imageOf(part, file)
      }
      return wordsOf(part, file, isNewest ? room : null)
    })
    return { ...message, parts: parts.toReversed() }
  })
  return shown.toReversed()
}

function idOf({ role }: ChatMessage, part: ChatMessagePart): string | undefined {
  return role === 'user' && part.type === 'file' ? fileIdOf(part.url) : undefined
}

function imageOf(part: FilePart, { content, mediaType }: AttachedFile): FilePart {
  return { ...part, mediaType, url: `data:${mediaType};base64,${Buffer.from(content).toString('base64')}` }
}

/** Text that names an image which the model doesn't see. */
export function imageInWords({ filename = 'image' }: Pick<FilePart, 'filename'>): ChatMessagePart {
  const name = JSON.stringify(filename)
  return { type: 'text', text: `[The visitor attached the image ${name}, which you are not shown here. Say so if it matters.]` }
}

/** @param maxTokens `null` for a file of an earlier prompt. */
function wordsOf(part: FilePart, file: AttachedFile | undefined, maxTokens: number | null): ChatMessagePart {
  const { filename = 'file' } = part
  if (!file) return { type: 'text', text: `[The visitor attached the file ${JSON.stringify(filename)}, which is not there any more.]` }
  if (file.text === null) return imageInWords(part)
  const text = (maxTokens === null ? cutAtSentence(file.text, MAX_EARLIER_CHARACTERS) : trimmedText(file.text, maxTokens)) ?? ''
  const from = text === file.text ? 'a file that the visitor attached' : 'the beginning of a file that the visitor attached'
  return { type: 'text', text: JSON.stringify(untrustedContent(from, { name: filename, text })) }
}
