import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Server } from '../../platform/server.ts'
import { completeDocument } from './openapi-document.ts'

/** Swagger UI renders our descriptions as HTML. This policy allows the elements that Markdown produces, without attributes. */
const TRUSTED_TYPES = `globalThis.trustedTypes?.createPolicy('default', {
  createHTML(html) {
    if (/<(?!\\/?(?:p|br|code|pre|em|strong|ul|ol|li)>)/.test(html)) throw new TypeError('This markup is not allowed')
    return html
  },
})
`

/** Collects the schemas of the routes registered after it into an OpenAPI document, with a page to read it at `/api/docs`. */
export async function openApi(app: Server, name: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: name,
        version: '1',
        contact: { name },
        license: { name: 'MIT', identifier: 'MIT' },
        description: 'An anonymous chat assistant. Errors are RFC 9457 problems with a stable `code`.',
      },
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: 'visitor', description: 'Set when the first prompt is accepted.' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The visitor key, for clients without cookies.' },
        },
      },
      security: [{}, { cookie: [] }, { bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => ('openapiObject' in document ? completeDocument(document.openapiObject) : document.swaggerObject),
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: `${name} API`, js: [{ filename: 'trusted-types.js', content: TRUSTED_TYPES }] },
    // By default, Swagger UI sends the document to another site for validation.
    uiConfig: { validatorUrl: null, layout: 'BaseLayout' },
  })
}

export function openApiRoute(app: Server): void {
  app.get('/api/openapi.json', { schema: { hide: true } as never }, async () => app.swagger())
}
