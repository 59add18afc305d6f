import { type ChatMessage, textOf } from '../src/contract/message.ts'
import type { Case } from './cases.ts'

/** What is wrong with an answer, in a few words each; nothing when it is right. */
export function judge({ source, tool, contains = [], forbidden = [] }: Case, answer: ChatMessage): string[] {
  const text = textOf(answer).toLowerCase()
  const sources = answer.parts.flatMap((part) => (part.type === 'source-document' ? (part.filename ?? '') : []))
  const tools = answer.parts.flatMap((part) => ('toolCallId' in part ? part.type.replace(/^tool-/, '') : []))
  return [
    ...(source === 'none' && sources.length > 0 ? [`has a source: ${sources[0]}`] : []),
    ...(source !== undefined && source !== 'none' && !sources.includes(source) ? [`source ${source} is missing`] : []),
    ...(tool !== undefined && !tools.includes(tool) ? [`tool ${tool} was not used`] : []),
    ...contains.filter((words) => !text.includes(words.toLowerCase())).map((words) => `lacks "${words}"`),
    ...forbidden.filter((words) => text.includes(words.toLowerCase())).map((words) => `says "${words}"`),
  ]
}
