import type { PublicConfiguration } from '../../../contract/config.ts'
import type { Feedback } from '../../../contract/message.ts'
import type { Agents } from '../../agent/agents.ts'
import type { Database } from '../../store/database.ts'
import type { Logo } from '../../branding/logo.ts'
import type { Turns } from '../../turns/turns.ts'
import type { PubSub } from '../../pubsub/pubsub.ts'
import type { PrivacyNotices } from '../../visitors/privacy-notice/privacy-notice.ts'
import type { Searcher } from '../../visitors/search/searcher.ts'
import type { SessionFeed } from '../../visitors/session-feed.ts'
import type { Cursors } from '../cursors.ts'
import type { RequestLimits } from '../request-limits.ts'
import type { Resolve } from '../../visitors/resolve.ts'
import type { Rights } from '../../visitors/rights.ts'
import type { SignIn } from '../../visitors/sign-in/sign-in.ts'

/** What routes act on. */
export interface RouteOptions {
  database: Database
  agents: Agents
  turns: Turns
  /** To be rung when a visitor's sessions have changed. */
  pubsub: PubSub
  sessionFeed: SessionFeed
  searcher: Searcher
  resolve: Resolve
  limits: RequestLimits
  cursors: Cursors
  rights: Rights
  /** Null where nobody can sign in. */
  signIn: SignIn | null
  /** The origin under which the page is reached; null for that of the request. */
  publicUrl: string | null
  /** As it is now: agents come and go. */
  configuration: (language?: string) => PublicConfiguration
  /** Of the operator's; null where there is none. */
  logo: Logo | null
  notice: PrivacyNotices
  /** Hears of each thumb that is given. */
  onFeedback?: ((thumb: Feedback['thumb']) => void) | undefined
  /** False from the moment the server is told to go down. */
  isReady: () => boolean
}
