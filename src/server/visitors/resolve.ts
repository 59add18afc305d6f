import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Settings } from '../config/config.ts'
import type { Access } from '../store/visitors/access.ts'
import {
  type Sender,
  endOfVisitorKeys,
  findVisitorKey,
  type NewVisitor,
  extendVisitorKey,
  type VisitorKey,
} from '../store/visitors/visitors.ts'
import type { Database } from '../store/engine/database.ts'
import { SHARED_DEVICE_MS } from '../../contract/chat/retention.ts'
import { hashOfVisitorKey, isStrongClientId, newSub, newVisitorKey, ownerOfClientId, VISITOR_KEY_PATTERN } from './visitor-key.ts'

export interface Credentials {
  /** Values of the visitor cookie, as sent. Several count as none. */
  cookies: string[]
  authorization: string | undefined
  /** Whether the client is on this machine and addresses the server by a loopback name. */
  fromHere: boolean
}

/** The caller. `lists`: owner of the sessions that a GET lists. `agent`: lists only this agent's sessions. */
export interface Caller {
  access: Access
  sub: string | null
  lists: string | null
  agent: string | null
  /** Whether a prompt can continue a session; otherwise it starts a new one. */
  continues: boolean
  /** The request contains an invalid visitor cookie; the reply must clear it. */
  staleCookie: boolean
  /** The caller's key, known only by its hash. `expiresAt` is set on a shared computer. */
  key: VisitorKey | null
}

/** The expiry of a shared computer's key is extended at most this often, not with each request. */
const PROLONG_AFTER_MS = 5 * 60 * 1000

export type Resolution = { kind: 'resolved'; caller: Caller } | Rejection

export interface ResolverOptions {
  database: Database
  installationKey: string
  clientIds: Settings['clientIds']
  retentionMs: number
  now: () => number
  isAgent: (id: string) => boolean
}

/** Creates the resolver of callers. `id`: the chat calls' `{id}`, else `?id=`; `chosen`: the client's id beside an agent's. */
export function createResolver(options: ResolverOptions) {
  const { database, installationKey, clientIds, retentionMs, now, isAgent } = options

  return async function resolve(credentials: Credentials, id = 'me', chosen?: string): Promise<Resolution> {
    const agent = isAgent(id) ? id : null
    if (chosen !== undefined && chosen !== id && agent === null && id !== 'me') return rejection('invalid_request')
    const bearer = bearerOf(credentials.authorization)
    if (bearer === 'malformed') return rejection('unauthorized')
    const [cookie] = credentials.cookies.length === 1 ? credentials.cookies.filter((value) => VISITOR_KEY_PATTERN.test(value)) : []
    if (bearer && cookie && bearer !== cookie) return rejection('invalid_request')
    const secret = bearer ?? cookie
    const key = secret && (await findVisitorKey(database, hashOfVisitorKey(secret), now()))
    if (bearer && !key) return rejection('unauthorized')
    const staleCookie = credentials.cookies.length > 0 && !(key && cookie)
    return {
      kind: 'resolved',
      caller: { ...(key ? await visitor(key, id, agent) : withoutCredential(chosen ?? id, agent, credentials.fromHere)), staleCookie },
    }
  }

  async function visitor(key: VisitorKey, id: string, agent: string | null): Promise<Omit<Caller, 'staleCookie'>> {
    const sub = key.visitorId
    const endsAt = key.expiresAt === null ? undefined : await endOfShared(key, key.expiresAt)
    const access = { ...accessOf(sub, true), ...(endsAt !== undefined && { endsAt }) }
    const own = agent !== null || id === sub || id === 'me'
    return { access, sub, lists: own ? sub : null, agent, continues: own, key }
  }

  /** Expiry of a shared computer's key, extended on use. If it is the visitor's only key, their data expires with it. */
  async function endOfShared(key: VisitorKey, expiresAt: number): Promise<number | undefined> {
    const prolonged = now() + SHARED_DEVICE_MS
    if (prolonged - expiresAt > PROLONG_AFTER_MS) await extendVisitorKey(database, key.keyHash, prolonged)
    return endOfVisitorKeys(database, key.visitorId)
  }

  function withoutCredential(id: string, agent: string | null, fromHere: boolean): Omit<Caller, 'staleCookie'> {
    const owner = acceptsClientId(id, fromHere) ? ownerOfClientId(id, installationKey) : null
    return { access: accessOf(owner, false), sub: null, lists: owner, agent, continues: true, key: null }
  }

  function accessOf(owner: string | null, credential: boolean): Access {
    return { owner, credential, now: now(), retentionMs }
  }

  function acceptsClientId(id: string, fromHere: boolean): boolean {
    if (id === 'me' || isAgent(id) || id.startsWith('v_') || clientIds === 'none') return false
    return clientIds === 'any' || (clientIds === 'any-here' && fromHere) || isStrongClientId(id)
  }
}

export type Resolve = ReturnType<typeof createResolver>

/**
 * The sender of the caller's prompt. A caller without a principal becomes a new visitor with `key`.
 * On a shared computer the key expires soon after its last use, and sessions cannot be opened by id. `seal` encrypts the key for a repetition of the request; `null` if it
 * cannot be repeated.
 */
export function senderOf(
  caller: Caller,
  device?: 'shared',
  seal: (visitorKey: string) => string | null = () => null,
): { sender: Sender; key: string | null } {
  const { access } = caller
  if (access.owner !== null) return { sender: { owner: access.owner, access, newVisitor: null, openById: false }, key: null }
  const key = newVisitorKey()
  const newVisitor: NewVisitor = {
    id: newSub(),
    keyHash: hashOfVisitorKey(key),
    sealedKey: seal(key) ?? undefined,
    ...(device && { keyExpiresAt: access.now + SHARED_DEVICE_MS }),
  }
  return { sender: { owner: newVisitor.id, access, newVisitor, openById: !device }, key }
}

function bearerOf(authorization: string | undefined): string | null | 'malformed' {
  if (authorization === undefined) return null
  const [, key] = /^Bearer ([^ ]+)$/i.exec(authorization) ?? []
  return key && VISITOR_KEY_PATTERN.test(key) ? key : 'malformed'
}
