import { filePath } from '../../contract/files.ts'
import { type ChatMessage, textOf } from '../../contract/message.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Moderator } from '../agent/moderation/moderator.ts'
import { newMessageId } from './ids.ts'
import type { PromptRequest } from './started-turn.ts'

/**
 * A visitor's message: its files, then its text. Rejects a missing file, and what `moderator` blocks in the text, in the texts of its
 * files, or in the history of a temporary chat.
 */
export async function promptMessage(
  text: string,
  { attachments = [], temporary }: Pick<PromptRequest, 'attachments' | 'temporary'>,
  moderator: Pick<Moderator, 'check'> | null,
): Promise<ChatMessage | Rejection> {
  const files = attachments.filter((file) => file !== null)
  if (files.length < attachments.length) return rejection('file_unknown')
  const texts = [...(temporary?.history ?? []).map(textOf), ...files.map((file) => file.text ?? ''), text]
  const verdict = moderator ? await moderator.check(texts.filter((part) => part !== '').join('\n\n')) : 'allowed'
  if (verdict !== 'allowed') return rejection(verdict === 'blocked' ? 'prompt_blocked' : 'moderation_unavailable')
  const parts = files.map(({ id, name, mediaType }) => ({ type: 'file', mediaType, filename: name, url: filePath(id) }) as const)
  return { id: newMessageId(), role: 'user', parts: [...parts, { type: 'text', text }] }
}
