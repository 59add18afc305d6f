import { dynamicTool, type Tool } from 'ai'
import { createEgress, type Egress, readBody } from '../../../egress/egress.ts'
import { EgressError } from '../../../egress/egress-error.ts'
import { OPERATOR_ALLOWED } from '../../../egress/address-policy.ts'
import { checkedSchema } from '../checked-schema.ts'
import { ToolFailure } from '../guard-tool.ts'
import { untrustedContent } from '../untrusted-content.ts'
import type { HttpApi } from './http-settings.ts'
import type { HttpOperation } from './openapi.ts'

const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 15_000, maxBytes: 64 * 1024, maxRedirects: 0 }
const MAX_REFUSAL_CHARACTERS = 2_000

/**
 * Creates a tool for an operation, or `null` if its input can't be validated. The model only fills in parameters and body; URL, method
 * and headers are the operator's. Doesn't follow redirects, because requests carry keys.
 */
export function httpTool(
  api: HttpApi,
  name: string,
  operation: HttpOperation,
  egress: Egress = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS }),
): Tool | null {
  const inputSchema = checkedSchema(operation.inputSchema)
  if (!inputSchema) return null
  return dynamicTool({
    description: operation.description,
    inputSchema,
    async execute(input, { abortSignal }) {
      const { status, text } = await send(egress, requestOf(api, operation, input as Record<string, unknown>), abortSignal)
      const reply = parsed(text)
      if (status >= 200 && status < 300) return untrustedContent(name, reply)
      throw new ToolFailure(`The service responded with status ${status}: ${JSON.stringify(reply).slice(0, MAX_REFUSAL_CHARACTERS)}`)
    },
  })
}

function requestOf({ baseUrl, headers }: HttpApi, { method, path, parameters, hasBody }: HttpOperation, input: Record<string, unknown>) {
  const inPath = (name: string) => {
    const value = textOf(input[name])
    // The value would change the path, in any encoding.
    if (value === '' || value === '.' || value === '..') throw new ToolFailure(`This value is not allowed for ${name}.`)
    return encodeURIComponent(value)
  }
  const url = new URL(baseUrl + path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => inPath(name)))
  for (const { name, in: place } of parameters) {
    if (place === 'query' && input[name] !== undefined)
      for (const value of [input[name]].flat()) url.searchParams.append(name, textOf(value))
  }
  const body = hasBody && input['body'] !== undefined ? JSON.stringify(input['body']) : undefined
  return {
    url,
    method,
    body,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  }
}

async function send(egress: Egress, request: ReturnType<typeof requestOf>, signal: AbortSignal | undefined) {
  try {
    const { status, body } = await egress({ ...request, signal })
    return { status, text: (await readBody(body)).toString() }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new ToolFailure(error.reason === 'too-large' ? 'The result of the tool is too long.' : 'The service could not be reached.')
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
