import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Server } from '../server.ts'

/** The page draws descriptions, which are ours, as HTML. Its default policy lets through what Markdown makes of them, and no attribute. */
const TRUSTED_TYPES = `globalThis.trustedTypes?.createPolicy('default', {
  createHTML(html) {
    if (/<(?!\\/?(?:p|br|code|pre|em|strong|ul|ol|li)>)/.test(html)) throw new TypeError('This markup is not let in')
    return html
  },
})
`

/** Collects the schemas of the routes registered after it into an OpenAPI document, with a page to read it at `/api/docs`. */
export async function openApi(app: Server, name: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: name, version: '1', description: 'An anonymous chat assistant. Errors are RFC 9457 problems with a stable `code`.' },
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: 'visitor', description: 'Set with the first accepted prompt.' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The visitor key, for clients without cookies.' },
        },
      },
      security: [{}, { cookie: [] }, { bearer: [] }],
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: `${name} API`, js: [{ filename: 'trusted-types.js', content: TRUSTED_TYPES }] },
    // The page's default asks another site to validate the document.
    uiConfig: { validatorUrl: null, layout: 'BaseLayout' },
  })
}

/** Serves the document itself. */
export function openApiRoute(app: Server): void {
  app.get('/api/openapi.json', { schema: { hide: true } as never }, async () => app.swagger())
}
