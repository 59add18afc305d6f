import type { PrivacyNotice, PublicConfiguration } from '../../../contract/config.ts'
import type { Agent } from '../../agent/agent.ts'
import type { Database } from '../../store/database.ts'
import type { Turns } from '../../turns/turns.ts'
import type { Resolve } from '../../visitors/resolve.ts'

/** What routes act on. */
export interface RouteOptions {
  database: Database
  agent: Agent
  turns: Turns
  resolve: Resolve
  configuration: PublicConfiguration
  notice: PrivacyNotice
  /** False from the moment the server is told to go down. */
  isReady: () => boolean
}
