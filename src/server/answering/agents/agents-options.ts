import type { PersonalDataRules } from '../../../personal-data/kinds.ts'
import type { KnowledgeOptions } from '../../knowledge/knowledge-base.ts'
import type { Installation, ModelSettings } from './agent.ts'
import type { LocalRuntime } from '../../models/local/local-runtime.ts'
import type { ModelLimits } from '../../models/model-limits.ts'
import type { Moderator } from '../../safety/moderation/moderator.ts'
import type { HttpApis } from '../tools/http/http-apis.ts'
import type { McpServers } from '../tools/mcp/mcp-servers.ts'

/** Dependencies of the agents of an installation. */
export interface AgentsOptions {
  directory: string
  knowledgeDirectory: string
  /** Folder for large knowledge indexes; without it, indexes stay in memory. */
  dataDirectory?: string
  embedding?: KnowledgeOptions['embedding']
  localRuntime?: KnowledgeOptions['localRuntime']
  usesOcr?: KnowledgeOptions['usesOcr']
  onSearched?: KnowledgeOptions['onSearched']
  model: ModelSettings
  /** Answers when the primary model can't. */
  fallbackModel?: ModelSettings | null
  /** Runs the local model; the caller closes it. */
  local?: LocalRuntime | null
  installation: Installation
  /** MCP servers whose tools agents may use; the caller closes them. */
  mcp?: McpServers | null
  /** HTTP APIs whose operations agents may use. */
  http?: HttpApis | null
  /** For agents whose files have none. */
  personalData?: PersonalDataRules
  /** Endpoint of the web search; `null` for none. */
  searchEndpoint?: string | null
  /** Whether a budget is set and the model has no price. */
  lacksPrice?: (model: string) => boolean
  /** Checks every answer before it is shown. */
  moderator?: Moderator | null
  limits?: Partial<ModelLimits>
  now?: () => Date
  /** Called with messages for the operator's log. */
  onWarning?: (message: string, cause?: unknown) => void
}
