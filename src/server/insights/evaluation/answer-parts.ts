import type { ChatMessage } from '../../../contract/chat/message.ts'
import { toolNameOf } from '../../../contract/chat/parts/tool.ts'

export interface Source {
  number: string
  file: string
  title: string
  /** Text of the passage, as far as the stream contains it. */
  quote: string
}

export function sourcesOf(answer: ChatMessage): Source[] {
  return answer.parts.flatMap((part) => {
    if (part.type !== 'source-document') return []
    const quote: unknown = part.providerMetadata?.['parley']?.['quote']
    return { number: part.sourceId, file: part.filename ?? '', title: part.title, quote: typeof quote === 'string' ? quote : '' }
  })
}

export function toolsOf(answer: ChatMessage): string[] {
  return answer.parts.flatMap((part) => ('toolCallId' in part ? toolNameOf(part) : []))
}
