// An MCP server over stdio with `BYTES` of tool definitions, whose tools return `RESULT_BYTES` of text.
import { createInterface } from 'node:readline'

const bytes = Number(process.env['BYTES'])
const resultBytes = Number(process.env['RESULT_BYTES'])
const TOOLS = 10
const sentence = 'Looks up what the warehouse knows about an order, its parts and where they are now. '
const tools = Array.from({ length: TOOLS }, (_, index) => ({
  name: `find_${index + 1}`,
  description: sentence.repeat(Math.ceil(bytes / TOOLS / sentence.length)).slice(0, bytes / TOOLS - 120),
  inputSchema: { type: 'object', properties: { order: { type: 'string', description: 'Number of the order' } } },
}))

interface Message {
  id?: number
  method?: string
  params?: { protocolVersion?: string; name?: string }
}

function resultOf({ method, params }: Message): unknown {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'wide', version: '1' } }
    case 'tools/list':
      return { tools }
    case 'tools/call':
      return { content: [{ type: 'text', text: `Called ${params?.name}. ${sentence.repeat(Math.ceil(resultBytes / sentence.length))}` }] }
    default:
      return {}
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message
  if (message.id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })}\n`)
}
