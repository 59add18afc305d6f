import type { Generated } from 'kysely'
import type { DELIVERY_STATES, WebhookEvent } from '../../../../contract/staff/webhook-events.ts'
import type { StaffRole } from '../../../../contract/staff/roles.ts'

interface StaffTable {
  id: string
  name: string
  role: StaffRole
  created_at: number
  /** 1 for somebody who signs in with the operator's provider, which gives the role. */
  from_provider: Generated<number>
}

interface StaffSessionTable {
  /** SHA-256 of the session's secret. */
  hash: string
  staff_id: string
  confirmed_at: number
  expires_at: number
}

/** Links that let one person join the staff, deleted with their use. */
interface StaffLinkTable {
  hash: string
  name: string
  role: StaffRole
  expires_at: number
}

interface StaffPasskeyTable {
  /** The credential's id, in base64url. */
  id: string
  staff_id: string
  name: string
  /** COSE key, in base64url. */
  public_key: string
  /** Signatures that the authenticator counts; 0 if it doesn't. */
  counter: number
  /** JSON array of WebAuthn's transports. */
  transports: string
  created_at: number
  used_at: number | null
}

interface StaffTokenTable {
  id: string
  hash: string
  name: string
  /** `TokenScope[]`, JSON. */
  scopes: string
  /** Ids of the agents that it is bound to, JSON. */
  agents: string
  /** Beginning of the ids that it may write. */
  collection: string | null
  /** `TokenCaps`, JSON. */
  caps: string
  created_at: number
  expires_at: number
}

/** A challenge that a passkey has signed, until it expires. */
interface UsedChallengeTable {
  /** The challenge without its hash. */
  random: string
  expires_at: number
}

interface WebhookTable {
  id: string
  url: string
  /** `WebhookEvent[]`, JSON. */
  events: string
  /** Names the installation key from which its secret is derived. */
  key_id: string
  created_at: number
}

/** The outbox of webhooks, and what became of it. */
interface WebhookDeliveryTable {
  id: string
  webhook_id: string
  event: WebhookEvent
  /** JSON; null once it is a day old. */
  payload: string | null
  report_id: string | null
  state: (typeof DELIVERY_STATES)[number]
  attempts: number
  /** Status of the last attempt, or why it got no answer. */
  result: string | null
  created_at: number
  next_at: number
}

export interface StaffSchema {
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  staff_tokens: StaffTokenTable
  staff: StaffTable
  staff_sessions: StaffSessionTable
  staff_links: StaffLinkTable
  staff_passkeys: StaffPasskeyTable
  used_challenges: UsedChallengeTable
}
