import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { FastifyContextConfig } from 'fastify'
import type { Server } from '../platform/server.ts'

interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
  responses: Record<string, { description?: string; content?: Record<string, unknown> }>
}

const STREAM = 'text/event-stream'

const TAGS: Readonly<Record<string, string>> = {
  session: 'Signing in and out',
  passkeys: 'Your passkeys',
  staff: 'People and their roles',
  tokens: 'Keys for programs',
  webhooks: 'Events for other programs',
  'audit log': 'Who changed what',
  stops: 'Stopping answers, in all or about a topic',
  banner: 'What visitors read above the chat',
  status: 'Whether the installation works',
  limits: 'Limits and the budget',
  model: 'The model that owners connect',
  embeds: 'Named embeds',
  privacy: 'What happens to visitors’ data',
  figures: 'Counts of prompts, answers and ratings',
  questions: 'Topics without an answer',
  reports: 'Answers that visitors reported',
  knowledge: 'Documents and websites',
  agents: 'Agents, their versions and evaluations',
  'approved answers': 'Answers in fixed words',
}

/** Collects the schemas of the routes registered after it into the staff API's OpenAPI document. */
export async function staffOpenApi(app: Server): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Staff API',
        version: '1',
        contact: { name: 'Parley' },
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'What the console does. Calls take a token with a scope, where their description names one, or the session’s cookie and, for changes, the header `Origin` of the console. Errors are RFC 9457 problems with a stable `code`.',
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'staff', description: 'Session of a person who has signed in.' },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'From `parley staff token`. Reads take the scope of their right; changes take `write:drafts` or `publish`.',
          },
        },
      },
      security: [{ session: [] }, { token: [] }],
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      return {
        url,
        schema: { ...schema, description: [schema?.description, audienceOf(route.route.config ?? {})].filter(Boolean).join(' ') },
      }
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { paths = {} } = document.openapiObject
      const completed = Object.entries(paths).map(([path, item]) => {
        const operations = Object.entries(item as Record<string, Operation>)
        return [path, Object.fromEntries(operations.map(([method, operation]) => [method, complete(operation, path)]))]
      })
      const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }))
      return { ...document.openapiObject, tags, paths: Object.fromEntries(completed) }
    },
  })
}

function audienceOf({ staff, isSensitive, scopes }: FastifyContextConfig): string {
  if (staff === undefined || staff === 'anybody') return 'Needs no sign-in.'
  const needed = staff === 'signed-in' ? 'Needs a session.' : `Needs the right \`${staff}\`.`
  const recent = isSensitive ? ' The sign-in must be recent.' : ''
  return needed + recent + (scopes ? ` Tokens need ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.` : '')
}

/** Serves the document to whoever can reach the console: it contains nothing of the installation. */
export function staffOpenApiRoute(app: Server): void {
  app.get('/api/staff/openapi.json', { schema: { hide: true } as never, config: { staff: 'anybody' } }, async () => app.swagger())
}

/** Adds the id ("Invite somebody" becomes `inviteSomebody`), and rejections as what they are. */
function complete(operation: Operation, path: string): Operation {
  const words = (operation.summary ?? '').split(/[^A-Za-z]+/).filter(Boolean)
  const id = words.map((word, index) => (index === 0 ? word.toLowerCase() : (word[0] ?? '').toUpperCase() + word.slice(1))).join('')
  const { default: problem, ...responses } = operation.responses
  const rejected = problem?.content && {
    description: 'The request was rejected or failed; `code` says why.',
    content: { 'application/problem+json': problem.content['application/json'] },
  }
  const [, ending = ''] = /(\.csv|\/content)$/.exec(path) ?? []
  const type = { '.csv': 'text/csv', '/content': 'application/octet-stream' }[ending]
  if (type) responses['200'] = { description: 'The file', content: { [type]: { schema: { type: 'string' } } } }
  const success =
    Object.keys(responses).length > 0 ? responses : { 200: { description: 'Events of the answer', content: { [STREAM]: {} } } }
  return { ...operation, operationId: id, responses: { ...success, ...(rejected && { '4XX': rejected, '5XX': rejected }) } }
}
