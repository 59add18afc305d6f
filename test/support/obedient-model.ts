import type { RecordedRequest, Script } from './scripted-model.ts'

/**
 * A script for a model that follows commands: `use TOOL INPUT` calls that tool with the given input. The answer is the tool's output,
 * unchanged.
 */
export function obey({ body, prompt }: RecordedRequest): Script {
  const last = body.messages.at(-1)
  if (last?.role === 'tool') return [{ text: [String(last.content)] }]
  const [, name = '', input = '{}'] = /^use (\S+) ?(.*)$/s.exec(prompt) ?? []
  return [{ toolCall: { name, arguments: input } }]
}
