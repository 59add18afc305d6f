import type { LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { HistoryItem } from './process-messages.ts'

type ModelItem = Extract<HistoryItem, { type: 'model' }>
type Call = Exclude<ModelItem['response'][number], string>

/** Converts a conversation for the library. It ends with the model's message, even if that is empty. */
export function chatHistory(prompt: LanguageModelV4Prompt): HistoryItem[] {
  const history: HistoryItem[] = []
  const calls = new Map<string, Call>()
  const modelItem = (): ModelItem => {
    const last = history.at(-1)
    if (last?.type === 'model') return last
    const item: ModelItem = { type: 'model', response: [] }
    history.push(item)
    return item
  }
  for (const message of prompt) {
    if (message.role === 'system') history.push({ type: 'system', text: message.content })
    else if (message.role === 'user') history.push({ type: 'user', text: textOf(message.content) })
    else
      for (const part of message.content) {
        if (part.type === 'text') modelItem().response.push(part.text)
        if (part.type === 'tool-call') {
          // Replaced by the result, if any.
          const call: Call = { type: 'functionCall', name: part.toolName, params: part.input, result: null }
          calls.set(part.toolCallId, call)
          modelItem().response.push(call)
        }
        if (part.type === 'tool-result') {
          const call = calls.get(part.toolCallId)
          if (call) call.result = resultOf(part.output)
        }
      }
  }
  modelItem()
  return history
}

/** Attachments in text are separate parts; the local model doesn't support images. */
function textOf(content: Extract<LanguageModelV4Prompt[number], { role: 'user' }>['content']): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

function resultOf(output: LanguageModelV4ToolResultOutput): unknown {
  switch (output.type) {
    case 'text':
    case 'json':
    case 'content':
      return output.value
    case 'error-text':
    case 'error-json':
      return { error: output.value }
    case 'execution-denied':
      return { error: 'The visitor did not allow this.' }
  }
}
