import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { NumberedText } from '../filters/numbered-sources.ts'
import { untrustedContent } from '../tools/untrusted-content.ts'

/**
 * Puts passages before the newest prompt of a conversation, where models read them best; the earlier messages stay the same from turn to
 * turn, so that providers can cache them. `passages` is `null` if the documents can't be searched now. A small model gets no numbers, which
 * it would explain to the visitor.
 */
export function withPassages(messages: readonly ChatMessage[], passages: readonly NumberedText[] | null, isSmall: boolean): ChatMessage[] {
  const text = `<passages>\n${passages === null ? 'The documents can’t be searched now.' : textOf(passages, isSmall)}\n</passages>`
  return beforeNewestPrompt(messages, text)
}

/** Puts the embedding page's own description, as untrusted, before the newest prompt. */
export function withPageContext(messages: readonly ChatMessage[], context: Readonly<Record<string, string>>): ChatMessage[] {
  return beforeNewestPrompt(messages, JSON.stringify(untrustedContent('the web page on which the visitor is, about itself', context)))
}

function beforeNewestPrompt(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => (index === newest ? { ...message, parts: [{ type: 'text', text }, ...message.parts] } : message))
}

/** Plain text: before each passage are its number and where it stands. */
function textOf(passages: readonly NumberedText[], isSmall: boolean): string {
  if (passages.length === 0) return 'The documents have no passage about this.'
  const texts = passages.map(({ number, place, asOf, text }) => {
    const head = `${isSmall ? '' : `[${number}] `}${inside(place)}${asOf === null || isSmall ? '' : ` (${asOf})`}`
    return `${head}\n${inside(text)}`
  })
  return texts.join('\n\n')
}

/** Text that can't end the passages. */
function inside(text: string): string {
  return text.replaceAll(/<(?=\s*\/?\s*passages)/gi, '&lt;')
}
