import type { RecordedRequest, Script } from './scripted-model.ts'

/**
 * A script for a model that does as it is told: `use TOOL INPUT` calls that tool, with the input as it stands; the answer is what
 * the tool returned, word for word.
 */
export function obey({ body, prompt }: RecordedRequest): Script {
  const last = body.messages.at(-1)
  if (last?.role === 'tool') return [{ text: [String(last.content)] }]
  const [, name = '', input = '{}'] = /^use (\S+) ?(.*)$/s.exec(prompt) ?? []
  return [{ toolCall: { name, arguments: input } }]
}
