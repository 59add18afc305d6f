import type { CallToolResult } from '@ai-sdk/mcp'
import type { JSONSchema7 } from '@ai-sdk/provider'
import { dynamicTool, type Tool } from 'ai'
import { checkedSchema } from '../foreign-tools.ts'
import { ToolFailure } from '../guard-tool.ts'
import { knownImages, OutputWithImages, type ToolImage } from '../tool-images.ts'
import { untrustedContent } from '../untrusted-content.ts'
import type { McpTool } from './mcp-connection.ts'
import { MCP_LIMITS } from './mcp-limits.ts'

const MAX_FAILURE_CHARACTERS = 2_000

/** Calls a server's tool for a chat. */
export type CallMcpTool = (
  chat: string,
  name: string,
  input: Record<string, unknown>,
  signal: AbortSignal | undefined,
) => Promise<CallToolResult>

/** Converts a server's tool, or returns why it can't be used. Marks its results as untrusted. */
export function mcpTool(server: string, tool: McpTool, call: CallMcpTool): Tool | string {
  const schema = tool.inputSchema as JSONSchema7
  if (JSON.stringify(schema).length > MCP_LIMITS.maxSchemaCharacters) return 'its input schema is too long'
  const inputSchema = checkedSchema(schema)
  if (inputSchema === null) return 'its input schema is invalid'
  return dynamicTool({
    description: (tool.description ?? tool.name).slice(0, MCP_LIMITS.maxDescriptionCharacters),
    inputSchema,
    async execute(input, { abortSignal, context }) {
      const { chat } = context as { chat: string }
      const result = await call(chat, tool.name, input as Record<string, unknown>, abortSignal)
      const content = contentOf(result)
      const images = imagesOf(result)
      const output = untrustedContent(`the tool ${tool.name} of ${server}`, content)
      if (!result.isError) return images.length > 0 ? new OutputWithImages(output, images) : output
      throw new ToolFailure(`The tool failed: ${JSON.stringify(content).slice(0, MAX_FAILURE_CHARACTERS)}`)
    },
  })
}

/** Converts a result for a model: values and texts unchanged, anything else described. */
function contentOf(result: CallToolResult): unknown {
  if ('structuredContent' in result && result.structuredContent !== undefined) return result.structuredContent
  if (!('content' in result) || !Array.isArray(result.content)) return null
  return result.content.map((part) => textOf(part as ContentPart)).join('\n')
}

function imagesOf(result: CallToolResult): ToolImage[] {
  if (!('content' in result) || !Array.isArray(result.content)) return []
  const parts = result.content as ContentPart[]
  return knownImages(
    parts.map(({ data, mimeType, resource }) => ({ data: data ?? resource?.blob, mediaType: mimeType ?? resource?.mimeType })),
  )
}

interface ContentPart {
  type: string
  data?: unknown
  text?: unknown
  mimeType?: unknown
  uri?: unknown
  resource?: { text?: unknown; blob?: unknown; uri?: unknown; mimeType?: unknown }
}

function textOf({ type, text, mimeType, uri, resource }: ContentPart): string {
  if (typeof text === 'string') return text
  if (typeof resource?.text === 'string') return resource.text
  const properties = [mimeType ?? resource?.mimeType, uri ?? resource?.uri].filter((word) => typeof word === 'string')
  return `[${[type, ...properties].join(' ')}, not in this text]`
}
