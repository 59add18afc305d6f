import { filePath } from '../../contract/chat/files.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import { BEFORE_THE_MODEL, firstOutcome } from './before-the-model.ts'
import { newMessageId } from './ids.ts'
import type { PromptRequest } from './started-turn.ts'

/** A visitor's message: files, then text. Rejects a missing file, and what `moderator` blocks in its texts or a temporary history. */
export async function promptMessage(
  { prompt, attachments = [], temporary }: Pick<PromptRequest, 'prompt' | 'attachments' | 'temporary'>,
  moderator: Pick<Moderator, 'check'> | null,
): Promise<ChatMessage | Rejection> {
  const files = attachments.filter((file) => file !== null)
  if (files.length < attachments.length) return rejection('file_unknown')
  const texts = [...(temporary?.history ?? []).map(textOf), ...files.map((file) => file.text ?? ''), prompt]
  const blocked = await firstOutcome(BEFORE_THE_MODEL.admission, { texts, moderator })
  if (blocked) return blocked
  const parts = files.map(({ id, name, mediaType }) => ({ type: 'file', mediaType, filename: name, url: filePath(id) }) as const)
  return { id: newMessageId(), role: 'user', parts: [...parts, { type: 'text', text: prompt }] }
}
