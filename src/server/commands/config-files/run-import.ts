import type { Settings } from '../../config/config.ts'
import { PLACEHOLDERS } from '../../knowledge/ingestion/placeholders.ts'
import { createWebTools, TOOL_NAMES } from '../../answering/tools/tools.ts'
import { openAudit } from '../../app/open-audit.ts'
import type { CommandResult } from '../operator-command.ts'
import { UPLOAD_LIMITS } from '../../app/upload-limits.ts'
import { importConfig } from './import-config.ts'

export async function runImport(args: readonly string[], settings: Settings): Promise<CommandResult> {
  const { database, searchEndpoint, model, prices } = settings
  const known = {
    tools: [...TOOL_NAMES, ...Object.keys(createWebTools(searchEndpoint))],
    // Only a running server knows them; it reports agents that name others.
    mcpServers: null,
    apis: null,
    placeholders: PLACEHOLDERS,
    files: [],
    hasProvider: !['builtin', 'local'].includes(model.kind),
    lacksPrice: (name: string) => prices.isMissing(name),
  }
  return importConfig(args, { database, audit: await openAudit(settings), known, uploads: UPLOAD_LIMITS, now: Date.now() })
}
