import { type ToolSet, dynamicTool, type Tool } from 'ai'
import { readHttpFile, type HttpApi } from './http-settings.ts'
import type { Variable } from '../named-entries.ts'
import { approvalRequiredTool, chosenTools, foreignToolName, isNamed, checkedSchema } from '../foreign-tools.ts'
import { createEgress, type Egress, readBody } from '../../../egress/egress.ts'
import { EgressError } from '../../../egress/egress-error.ts'
import { OPERATOR_ALLOWED } from '../../../egress/address-policy.ts'
import { parseJson } from '../../../../text/parse-json.ts'
import { ToolFailure } from '../guard-tool.ts'
import { untrustedContent } from '../untrusted-content.ts'
import type { HttpBody, HttpOperation } from './openapi.ts'
import { headerValue, type Parameter, pairsOf, pathValue } from './parameter-styles.ts'

export type HttpApis = Awaited<ReturnType<typeof readHttpApis>>

/** The APIs of `http-tools.json`, shared by all agents. A mistake in one doesn't affect the others; `problems` lists it. */
export async function readHttpApis(path: string, variable: Variable) {
  const { names, entries: apis, problems } = await readHttpFile(path, variable)
  const tools = new Map<string, ToolSet>()
  for (const [name, api] of apis) {
    const set: ToolSet = {}
    for (const [id, operation] of api.operations) {
      const tool = httpTool(api, `the API ${name}`, operation)
      if (tool) set[foreignToolName(name, id)] = isNamed(api.approval, id) ? approvalRequiredTool(tool) : tool
      else problems.push(`http-tools.json, "${name}": the form of the input of ${id} cannot be read`)
    }
    tools.set(name, set)
  }
  return {
    names,
    problems,
    /** Tools of APIs: `api` for all operations, or `api/operationId`. */
    toolsOf: (chosen: readonly string[]) => chosenTools(chosen, (api) => tools.get(api)),
  }
}

const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 15_000, maxBytes: 64 * 1024, maxRedirects: 0 }
const MAX_REFUSAL_CHARACTERS = 2_000

/**
 * Creates a tool for an operation, or `null` if its input can't be validated. The model only fills in parameters and body; URL, method
 * and headers are the operator's. Doesn't follow redirects, because requests carry keys.
 */
function httpTool(api: HttpApi, name: string, operation: HttpOperation): Tool | null {
  const inputSchema = checkedSchema(operation.inputSchema)
  if (!inputSchema) return null
  const egress = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })
  return dynamicTool({
    description: operation.description,
    inputSchema,
    async execute(input, { abortSignal }) {
      const { status, text } = await send(egress, requestOf(api, operation, input as Record<string, unknown>), abortSignal)
      const reply = parseJson(text) ?? text
      if (status >= 200 && status < 300) return untrustedContent(name, reply)
      throw new ToolFailure(`The service responded with status ${status}: ${JSON.stringify(reply).slice(0, MAX_REFUSAL_CHARACTERS)}`)
    },
  })
}

function requestOf({ baseUrl, headers }: HttpApi, { method, path, parameters, body: form }: HttpOperation, input: Record<string, unknown>) {
  const given = (place: Parameter['in']) => parameters.filter(({ name, in: its }) => its === place && input[name] !== undefined)
  const inPath = new Map(given('path').map((parameter) => [parameter.name, pathValue(parameter, input[parameter.name])]))
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => inPath.get(name) ?? '')
  // The value would change the path, in any encoding.
  const wrong =
    [...inPath].find(([, value]) => value === '') ?? (filled.split('/').some((part) => /^\.\.?$/.test(part)) ? [...inPath][0] : undefined)
  if (wrong) throw new ToolFailure(`This value is not allowed for ${wrong[0]}.`)
  const url = new URL(baseUrl + filled)
  const pairs = given('query').map((parameter) => pairsOf(parameter.name, parameter, input[parameter.name]))
  url.search = [url.search.slice(1), ...pairs].filter((pair) => pair !== '').join('&')
  const body = form && input['body'] !== undefined ? bodyText(form, input['body']) : undefined
  const ofModel = given('header').map((parameter) => [parameter.name.toLowerCase(), headerValue(parameter, input[parameter.name])] as const)
  const unwritable = ofModel.find(([, value]) => !/^[\t -~]*$/.test(value))
  if (unwritable) throw new ToolFailure(`This value is not allowed for ${unwritable[0]}.`)
  const ofOperator = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const type = form && body !== undefined ? [['content-type', form.mediaType] as const] : []
  return { url, method, body, headers: Object.fromEntries([['accept', 'application/json'], ...type, ...ofModel, ...ofOperator]) }
}

function bodyText(form: HttpBody, value: unknown): string {
  if (form.kind === 'json') return JSON.stringify(value)
  const written = Object.entries(value as Record<string, unknown>).map(([name, item]) =>
    pairsOf(name, form.encoding[name] ?? { style: isFlat(item) ? 'form' : 'json', explode: true }, item),
  )
  return written.filter((pair) => pair !== '').join('&')
}

/** A list of texts and numbers, or one. */
function isFlat(value: unknown): boolean {
  return [value].flat().every((item) => typeof item !== 'object' || item === null)
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
