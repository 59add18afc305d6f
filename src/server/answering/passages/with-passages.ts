import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { NumberedText } from '../filters/numbered-sources.ts'
import { untrustedContent } from '../tools/untrusted-content.ts'

/** Without it, small models leave out what was asked for (eval/README.md). */
const HOW_TO_ANSWER = 'Answer in two sentences, with the exact names, numbers, conditions and commands that the passages give.'

/**
 * Puts passages before the newest prompt of a conversation, where models read them best; the earlier messages stay the same from turn to
 * turn, so that providers can cache them. `passages` is `null` if the documents can't be searched now. A small model gets no numbers, which
 * it would explain to the visitor, and is told after the prompt how to answer, where it heeds it.
 */
export function withPassages(messages: readonly ChatMessage[], passages: readonly NumberedText[] | null, isSmall: boolean): ChatMessage[] {
  const text = `<passages>\n${passages === null ? 'The documents can’t be searched now.' : textOf(passages, isSmall)}\n</passages>`
  return aroundNewestPrompt(messages, text, ...(isSmall ? [HOW_TO_ANSWER] : []))
}

/** Puts the embedding page's own description, as untrusted, before the newest prompt. */
export function withPageContext(messages: readonly ChatMessage[], context: Readonly<Record<string, string>>): ChatMessage[] {
  return aroundNewestPrompt(messages, JSON.stringify(untrustedContent('the web page on which the visitor is, about itself', context)))
}

function aroundNewestPrompt(messages: readonly ChatMessage[], ...[before = '', ...after]: string[]): ChatMessage[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  const partOf = (text: string) => ({ type: 'text' as const, text })
  return messages.map((message, index) =>
    index === newest ? { ...message, parts: [partOf(before), ...message.parts, ...after.map(partOf)] } : message,
  )
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
