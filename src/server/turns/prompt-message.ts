import { filePath } from '../../contract/files.ts'
import { type ChatMessage, textOf } from '../../contract/message.ts'
import type { Moderator } from '../agent/moderation/moderator.ts'
import { newMessageId } from './ids.ts'
import type { PromptRequest, Refusal } from './started-turn.ts'

/**
 * A visitor's message: the files that go with it, and the text. Or why there is none: one of the files is not there, or `moderator` refuses
 * its words, the texts of its files, or what a temporary chat says was said before.
 */
export async function promptMessage(
  text: string,
  { attachments = [], temporary }: Pick<PromptRequest, 'attachments' | 'temporary'>,
  moderator: Pick<Moderator, 'check'> | null,
): Promise<ChatMessage | Refusal> {
  const files = attachments.filter((file) => file !== null)
  if (files.length < attachments.length) return { kind: 'refused', code: 'file_unknown' }
  const texts = [...(temporary?.history ?? []).map(textOf), ...files.map((file) => file.text ?? ''), text]
  const verdict = moderator ? await moderator.check(texts.filter((part) => part !== '').join('\n\n')) : 'allowed'
  if (verdict !== 'allowed') return { kind: 'refused', code: verdict === 'refused' ? 'prompt_refused' : 'moderation_unavailable' }
  const parts = files.map(({ id, name, mediaType }) => ({ type: 'file', mediaType, filename: name, url: filePath(id) }) as const)
  return { id: newMessageId(), role: 'user', parts: [...parts, { type: 'text', text }] }
}
