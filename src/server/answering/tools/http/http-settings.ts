import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { readTextFile } from '../../../knowledge/files/read-regular-file.ts'
import { type NamedEntries, readNamedEntries, type Variable } from '../named-entries.ts'
import { type HttpOperation, operationsOf } from './openapi.ts'

/** An API whose operations agents may use as tools. */
export interface HttpApi {
  /** Base URL without a trailing slash. */
  baseUrl: string
  /** Sent with every request; may contain keys, which no model sees. */
  headers: Record<string, string>
  /** Allowed operations by `operationId`. */
  operations: Map<string, HttpOperation>
  approval: boolean | string[]
}

/** GitHub's has 13 MB. */
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024

const Entry = z.strictObject({
  openapi: z.string().min(1).max(1000),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string().max(200), z.string().max(10_000)).default({}),
  operations: z.array(z.string().min(1).max(200)).min(1).max(64),
  approval: z.union([z.boolean(), z.array(z.string().min(1).max(200)).max(64)]).default(false),
})

/**
 * Reads `http-tools.json`: `{"httpTools": {name: {openapi, url, headers, operations, approval}}}`. `openapi` is an OpenAPI 3
 * document in JSON or YAML in the same folder.
 */
export function readHttpFile(path: string, variable: Variable): Promise<NamedEntries<HttpApi>> {
  return readNamedEntries(path, variable, {
    key: 'httpTools',
    schemaOf: () => Entry,
    read: (entry, report) => apiOf(entry, dirname(path), report),
  })
}

async function apiOf(
  { openapi, url, headers, operations: ids, approval }: z.infer<typeof Entry>,
  directory: string,
  report: (problem: string) => void,
): Promise<HttpApi | null> {
  const text = await readTextFile(resolve(directory, openapi), MAX_DOCUMENT_BYTES).catch(() => null)
  const found = text === null ? null : operationsOf(parsed(text), ids)
  // A mistyped name would let a tool run without approval.
  const unknown = Array.isArray(approval) ? approval.find((id) => found?.has(id) === false) : undefined
  if (found === null) report('openapi is not a readable OpenAPI 3 document in JSON or YAML')
  if (unknown !== undefined) report(`approval: ${JSON.stringify(unknown)} is not among its operations`)
  if (found === null || unknown !== undefined) return null
  const operations = new Map<string, HttpOperation>()
  for (const [id, operation] of found) {
    if (typeof operation === 'string') report(`${JSON.stringify(id)} is left out: it ${operation}`)
    else operations.set(id, operation)
  }
  return { baseUrl: url.replace(/\/+$/, ''), headers, operations, approval }
}

function parsed(text: string): unknown {
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : parse(text)
  } catch {
    return undefined
  }
}
