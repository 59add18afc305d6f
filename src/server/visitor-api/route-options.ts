import type { OperatorProblem } from './installation/operator-problem.ts'
import type { Banner } from '../../contract/banner.ts'
import type { PublicConfiguration } from '../../contract/config.ts'
import type { Settings } from '../config/config.ts'
import type { Agents } from '../answering/agents/agents.ts'
import type { Database } from '../store/engine/database.ts'
import type { GivenFeedback } from '../store/turns/feedback.ts'
import type { Logo } from '../branding/logo.ts'
import type { Turns } from '../turns/turns.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import type { PrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'
import type { SessionFeed } from '../visitors/session-feed.ts'
import type { Cursors } from './requests/cursors.ts'
import type { EmbedOf } from './requests/embed-of.ts'
import type { WriteProbe } from './requests/write-probe.ts'
import type { RequestLimits } from './requests/request-limits.ts'
import type { Resolve } from '../visitors/resolve.ts'
import type { Rights } from '../visitors/rights.ts'

export interface RouteOptions {
  database: Database
  agents: Agents
  turns: Turns
  pubsub: PubSub
  sessionFeed: SessionFeed
  resolve: Resolve
  limits: RequestLimits
  cursors: Cursors
  rights: Rights
  settings: Pick<Settings, 'embeds' | 'frameAncestors' | 'publicUrl' | 'frameChats' | 'reportDays' | 'staffReading' | 'usesOcr'>
  /** The current configuration: agents change while the server runs. */
  configuration: (wanted?: { language?: string | undefined; embed?: string | undefined }) => Omit<PublicConfiguration, 'banner'>
  banner: () => Promise<Banner | null>
  logo: Logo | null
  notice: PrivacyNotices
  embedOf: EmbedOf
  /** Called for each feedback, with who gives it and where it comes from. */
  onFeedback?: ((given: GivenFeedback, from: { owner: string; embed: string }) => void) | undefined
  onVisitor?: ((owner: string, network: string) => void) | undefined
  writeProbe: WriteProbe
  /** Problems for the operator that don't prevent prompts. */
  problemsNow: () => readonly OperatorProblem[]
  /** Opens the details of `/readyz`; `null` for nobody. */
  operatorToken: string | null
  /** False once shutdown has begun. */
  isReady: () => boolean
}
