import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { NumberedText } from '../filters/numbered-sources.ts'

/**
 * Adds passages to the newest prompt of a conversation, after its words: all that precedes stays the same from turn to turn, so that
 * providers can cache it. `passages` is `null` if the documents can't be searched now.
 */
export function withPassages(messages: readonly ChatMessage[], passages: readonly NumberedText[] | null): ChatMessage[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  const text = passagesText(passages)
  return messages.map((message, index) => (index === newest ? { ...message, parts: [...message.parts, { type: 'text', text }] } : message))
}

function passagesText(passages: readonly NumberedText[] | null): string {
  return `<passages>\n${passages === null ? 'The documents can’t be searched now.' : textOf(passages)}\n</passages>`
}

/** Plain text: before each passage are its number and where it stands. */
function textOf(passages: readonly NumberedText[]): string {
  if (passages.length === 0) return 'The documents have no passage about this.'
  const texts = passages.map(
    ({ number, place, asOf, text }) => `[${number}] ${inside(place)}${asOf === null ? '' : ` (${asOf})`}\n${inside(text)}`,
  )
  return texts.join('\n\n')
}

/** Text that can't end the passages. */
function inside(text: string): string {
  return text.replaceAll(/<(?=\s*\/?\s*passages)/gi, '&lt;')
}
