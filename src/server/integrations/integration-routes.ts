import { type Server, withMethodsRejected } from '../platform/server.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { openAiRoutes } from './openai/routes.ts'
import type { IntegrationOptions } from './token-access.ts'

export function integrationRoutes(app: Server, options: IntegrationOptions): void {
  withMethodsRejected(app, () => {
    openAiRoutes(app, options)
    mcpRoutes(app, options)
  })
}
