import { FILE_TYPES } from '../../../contract/chat/files.ts'

/** Facts that the route schemas lack, or state differently from the wire. */
interface OperationDetails {
  id: string
  /** Media types of the 200 response besides, or instead of, JSON. Their bodies are bytes or events. */
  produces?: readonly string[]
  consumes?: string
  isEmptyWhen?: string
  headers?: readonly object[]
}

const EVENTS = 'text/event-stream'

const LAST_EVENT = header('Last-Event-ID', 'The last event that the client has; the stream goes on after it.')
const WORK = header(
  'Proof-Of-Work',
  'The solved challenge (ALTCHA, version 2) of `proof_of_work_required`: `{"challenge", "solution": {"counter", "derivedKey"}}` as Base64-encoded JSON.',
)

const OPERATIONS: Readonly<Record<string, OperationDetails>> = {
  'GET /api/v1/agent/chat/{id}': { id: 'listChats' },
  'POST /api/v1/agent/chat/{id}': { id: 'sendPrompt', produces: [EVENTS], headers: [WORK] },
  'GET /api/v1/sessions': { id: 'listSessions' },
  'DELETE /api/v1/sessions': { id: 'deleteSessions' },
  'GET /api/v1/sessions/{key}': { id: 'getSession' },
  'DELETE /api/v1/sessions/{key}': { id: 'deleteSession' },
  'GET /api/v1/sessions/{key}/messages': { id: 'listMessages' },
  'GET /api/v1/me': { id: 'getVisitor' },
  'DELETE /api/v1/me': { id: 'deleteVisitor' },
  'POST /api/v1/sessions/{key}/regenerate': { id: 'regenerateAnswer', produces: [EVENTS], headers: [WORK] },
  'POST /api/v1/sessions/{key}/branch': { id: 'showBranch' },
  'POST /api/v1/sessions/{key}/feedback': { id: 'sendFeedback' },
  'GET /api/v1/search': { id: 'searchMessages' },
  'POST /api/v1/sessions/{key}/reports': { id: 'reportAnswer' },
  'GET /api/v1/me/reports': { id: 'listReports' },
  'DELETE /api/v1/reports/{report}': { id: 'withdrawReport' },
  'GET /.well-known/parley-receipts.json': { id: 'getReceiptKeys' },
  'GET /api/v1/me/export': { id: 'exportVisitor', produces: ['application/zip'] },
  'GET /api/v1/sessions/{key}/export': { id: 'exportSession', produces: ['text/markdown', 'application/json'] },
  'POST /api/v1/files': { id: 'uploadFile', consumes: 'application/octet-stream' },
  'GET /api/v1/files/{file}': { id: 'getFile', produces: FILE_TYPES },
  'DELETE /api/v1/files/{file}': { id: 'deleteFile' },
  'GET /api/v1/me/data': { id: 'getDataReport' },
  'DELETE /api/v1/me/accepted-notices': { id: 'withdrawNotices' },
  'POST /api/v1/me/transfer': { id: 'createTransferCode' },
  'POST /api/v1/transfer': { id: 'redeemTransferCode' },
  'DELETE /api/v1/me/device': { id: 'signOutDevice' },
  'DELETE /api/v1/me/devices': { id: 'signOutOtherDevices' },
  'GET /api/v1/turns/{turn}': { id: 'getTurn' },
  'GET /api/v1/turns/{turn}/stream': { id: 'followTurn', produces: [EVENTS], headers: [LAST_EVENT] },
  'GET /api/v1/turns/{turn}/events': { id: 'pollTurn' },
  'POST /api/v1/turns/{turn}/stop': { id: 'stopTurn' },
  'POST /api/v1/turns/{turn}/approve': { id: 'decideApproval', produces: [EVENTS], headers: [WORK] },
  'POST /api/v1/turns/{turn}/retry': { id: 'retryTurn', produces: [EVENTS], headers: [WORK] },
  'POST /api/v1/turns/{turn}/continue': { id: 'continueTurn', produces: [EVENTS], headers: [WORK] },
  'GET /api/v1/me/events': { id: 'followSessions', produces: [EVENTS], isEmptyWhen: 'The caller owns nothing yet, so nothing can change' },
  'GET /api/v1/config': { id: 'getConfiguration' },
  'GET /api/v1/privacy-notice': { id: 'getPrivacyNotice' },
  'GET /healthz': { id: 'getHealth' },
  'GET /readyz': { id: 'getReadiness' },
  'GET /api/v1/logo': { id: 'getLogo' },
}

const TAGS: Readonly<Record<string, string>> = {
  chat: 'Prompts and their answers',
  sessions: 'Chats and their messages',
  turns: 'Running answers',
  files: 'Files in prompts',
  rights: 'Export, deletion and transfer of a visitor’s data',
  visitors: 'The visitor',
  installation: 'What an installation is and whether it works',
}

const CONSENT = {
  name: 'Privacy-Consent',
  in: 'header',
  required: false,
  schema: { type: 'string', enum: ['true'] },
  description:
    'States the visitor’s consent for a page of an origin in `ALLOWED_ORIGINS`. Browsers need it or the page’s cookie; other clients don’t.',
}

interface Media {
  schema?: unknown
}
interface Response {
  description?: string | undefined
  content?: Record<string, Media>
}
interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: object[]
  requestBody?: { content?: Record<string, { schema?: { anyOf?: { type?: string }[]; type?: string } }>; required?: boolean }
  responses: Record<string, Response>
}
export interface Document {
  paths?: object
  components?: object
  tags?: unknown[]
  servers?: unknown[]
}

/** Adds what route schemas can't express: operation ids, problem documents, files, streams and the consent header. */
export function completeDocument<Openapi extends Document>(document: Openapi): Openapi {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
      return [method, completeOperation(operation, method, OPERATIONS[`${method.toUpperCase()} ${path}`])]
    })
    return [path, Object.fromEntries(operations)]
  })
  const problem = { description: 'The request was rejected or failed; `code` says why.', content: problemContent(document) }
  return {
    ...document,
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses: { Problem: problem } },
  }
}

function completeOperation(operation: Operation, method: string, details: OperationDetails | undefined): Operation {
  const { default: rejected, ...responses } = operation.responses
  const isProblem = rejected?.content?.['application/json'] !== undefined || rejected === undefined
  const problem = { $ref: '#/components/responses/Problem' } as Response
  const success = rejected && !isProblem ? { 200: { ...rejected, description: 'The content' } } : responses
  const changes = method !== 'get' && method !== 'delete'
  const { requestBody } = operation
  const needsNoBody = requestBody?.content?.['application/json']?.schema?.anyOf?.some(({ type }) => type === 'null')
  return {
    ...operation,
    ...(details && { operationId: details.id }),
    description: operation.description ?? operation.summary ?? '',
    parameters: [...(operation.parameters ?? []), ...(changes ? [CONSENT] : []), ...(details?.headers ?? [])],
    ...(needsNoBody && { requestBody: { ...requestBody, required: false } }),
    ...(details?.consumes && { requestBody: { required: true, content: { [details.consumes]: { schema: BYTES } } } }),
    responses: {
      ...withMedia(success, details?.produces ?? []),
      ...(details?.isEmptyWhen && { 204: { description: details.isEmptyWhen } }),
      '4XX': problem,
      '5XX': problem,
    },
  }
}

const BYTES = { type: 'string', format: 'binary' }
const SCHEMAS: Readonly<Record<string, object>> = {
  [EVENTS]: { type: 'string', description: 'Server-sent events, each with a chunk as JSON.' },
  'application/json': { type: 'object', description: '`parley.json` with this chat.' },
}

function withMedia(responses: Record<string, Response>, types: readonly string[]): Record<string, Response> {
  const media = types.map((type) => [type, { schema: SCHEMAS[type] ?? BYTES }] as const)
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const description = response.description === 'Default Response' ? 'The request succeeded' : response.description
      const content = { ...response.content, ...(status === '200' && Object.fromEntries(media)) }
      return [status, { ...response, description, ...(Object.keys(content).length > 0 && { content }) }]
    }),
  )
}

function header(name: string, description: string): object {
  return { name, in: 'header', required: false, schema: { type: 'string' }, description }
}

function problemContent({ paths }: Document): Record<string, Media> {
  for (const item of Object.values(paths ?? {})) {
    for (const { responses } of Object.values(item as Record<string, Operation>)) {
      const json = responses['default']?.content?.['application/json']
      if (json) return { 'application/problem+json': json }
    }
  }
  return { 'application/problem+json': {} }
}
