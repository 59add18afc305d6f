import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Server } from '../platform/server.ts'

interface Operation {
  operationId?: string
  summary?: string
}

/** Collects the schemas of the routes registered after it into the staff API's OpenAPI document. */
export async function staffOpenApi(app: Server): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Staff API',
        version: '1',
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'What the console does. Reads take the session’s cookie or a token with a scope; changes take the cookie and the header `Origin` of the console. Errors are RFC 9457 problems with a stable `code`.',
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'staff', description: 'Session of a person who has signed in.' },
          token: { type: 'http', scheme: 'bearer', description: 'From `parley staff token`, for reads.' },
        },
      },
      security: [{ session: [] }, { token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { paths = {} } = document.openapiObject
      const named = Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(Object.entries(item as Record<string, Operation>).map(([method, operation]) => [method, withId(operation)])),
      ])
      return { ...document.openapiObject, paths: Object.fromEntries(named) }
    },
  })
}

/** Serves the document to whoever can reach the console: it contains nothing of the installation. */
export function staffOpenApiRoute(app: Server): void {
  app.get('/api/staff/openapi.json', { schema: { hide: true } as never, config: { staff: 'anybody' } }, async () => app.swagger())
}

/** "Invite somebody" becomes `inviteSomebody`. */
function withId(operation: Operation): Operation {
  const words = (operation.summary ?? '').split(/[^A-Za-z]+/).filter(Boolean)
  const id = words.map((word, index) => (index === 0 ? word.toLowerCase() : (word[0] ?? '').toUpperCase() + word.slice(1))).join('')
  return { ...operation, operationId: id }
}
