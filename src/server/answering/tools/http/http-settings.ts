import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { readTextFile } from '../../../knowledge/files/read-regular-file.ts'
import { fillIn } from '../environment-words.ts'
import { type HttpOperation, operationsOf } from './openapi.ts'

/** An API whose operations agents may use as tools. */
export interface HttpApi {
  /** Base URL without a trailing slash. */
  baseUrl: string
  /** Sent with every request; may contain keys, which no model sees. */
  headers: Record<string, string>
  /** Allowed operations by `operationId`. */
  operations: Map<string, HttpOperation>
  /** Which operations need approval: all, the named ones, or none. */
  approval: boolean | string[]
  /** Operations that are left out, with the reason. */
  problems: string[]
}

export interface HttpFile {
  /** Names of all APIs in the file, invalid ones included; `null` if the file is unreadable. */
  names: string[] | null
  apis: Map<string, HttpApi>
  /** Problems of the file, for the operator; they name keys, never values. */
  problems: string[]
}

const MAX_FILE_BYTES = 64 * 1024
/** GitHub's has 13 MB. */
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024
const MAX_APIS = 20
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

const Entry = z.strictObject({
  openapi: z.string().min(1).max(1000),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string().max(200), z.string().max(10_000)).default({}),
  operations: z.array(z.string().min(1).max(200)).min(1).max(64),
  approval: z.union([z.boolean(), z.array(z.string().min(1).max(200)).max(64)]).default(false),
})
const File = z.strictObject({ httpTools: z.record(z.string(), z.unknown()) })

/**
 * Reads `http-tools.json`: `{"httpTools": {name: {openapi, url, headers, operations, approval}}}`. `openapi` is an OpenAPI 3
 * document in JSON or YAML in the same folder; `variable` resolves `${NAME}` in headers. APIs with a mistake are left out and reported.
 */
export async function readHttpFile(path: string, variable: (name: string) => string | undefined): Promise<HttpFile> {
  const text = await readTextFile(path, MAX_FILE_BYTES).catch((error: NodeJS.ErrnoException) => error)
  if (text instanceof Error) {
    const isMissing = text.code === 'ENOENT'
    return { names: isMissing ? [] : null, apis: new Map(), problems: isMissing ? [] : ['http-tools.json cannot be read'] }
  }
  const file = File.safeParse(parsed(text))
  if (!file.success) return { names: null, apis: new Map(), problems: ['http-tools.json must be JSON of the form {"httpTools": {…}}'] }
  const result: HttpFile = { names: Object.keys(file.data.httpTools), apis: new Map(), problems: [] }
  for (const [name, entry] of Object.entries(file.data.httpTools).slice(0, MAX_APIS)) {
    const outcome = NAME.test(name) ? await apiOf(entry, dirname(path), variable) : 'the name must be up to 32 letters, digits, - and _'
    const problems = typeof outcome === 'string' ? [outcome] : outcome.problems
    result.problems.push(...problems.map((problem) => `http-tools.json, ${JSON.stringify(name.slice(0, 40))}: ${problem}`))
    if (typeof outcome !== 'string') result.apis.set(name, outcome)
  }
  return result
}

async function apiOf(entry: unknown, directory: string, variable: (name: string) => string | undefined): Promise<HttpApi | string> {
  const { filled, missing } = fillIn(entry, variable)
  if (missing.length > 0) return `${missing.join(', ')} is not set`
  const api = Entry.safeParse(filled)
  if (!api.success) return api.error.issues.map(({ path, code }) => `${path.join('.') || 'the entry'} is wrong (${code})`).join('; ')
  const text = await readTextFile(resolve(directory, api.data.openapi), MAX_DOCUMENT_BYTES).catch(() => null)
  const found = text === null ? null : operationsOf(parsed(text), api.data.operations)
  if (found === null) return 'openapi is not a readable OpenAPI 3 document in JSON or YAML'
  const operations = new Map([...found].flatMap(([id, operation]) => (typeof operation === 'string' ? [] : [[id, operation] as const])))
  const problems = [...found].flatMap(([id, operation]) =>
    typeof operation === 'string' ? `${JSON.stringify(id)} is left out: it ${operation}` : [],
  )
  const { url, headers, approval } = api.data
  // A mistyped name would let a tool run without approval.
  const unknown = Array.isArray(approval) ? approval.find((id) => !found.has(id)) : undefined
  if (unknown !== undefined) return `approval: ${JSON.stringify(unknown)} is not among its operations`
  return { baseUrl: url.replace(/\/+$/, ''), headers, operations, approval, problems }
}

function parsed(text: string): unknown {
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : parse(text)
  } catch {
    return undefined
  }
}
