import type { Access, Sender } from '../store/access.ts'
import type { Database } from '../store/database.ts'
import { findVisitorByKeyHash, type NewVisitor } from '../store/visitors.ts'
import { hashOfVisitorKey, isStrongClientId, newSub, newVisitorKey, ownerOfClientId, VISITOR_KEY_PATTERN } from './visitor-key.ts'

export interface Credentials {
  /** Values of the visitor cookie, as sent; more than one is as none. */
  cookies: string[]
  /** The Authorization header, as sent. */
  authorization: string | undefined
}

/**
 * Who calls, and what the `{id}` of the call opens for them.
 * `lists`: whose sessions a GET shows, or null for none. `agent`: only those of this agent.
 */
export interface Caller {
  access: Access
  sub: string | null
  lists: string | null
  agent: string | null
  /** Whether a prompt may go on with a session; otherwise it starts a new one. */
  continues: boolean
  /** The request carried a visitor cookie that opens nothing: it is to be cleared. */
  staleCookie: boolean
}

export type Resolution = { kind: 'resolved'; caller: Caller } | { kind: 'refused'; code: 'unauthorized' | 'invalid_request' }

export interface ResolverOptions {
  database: Database
  installationKey: string
  clientIds: 'strong' | 'any' | 'none'
  agentIds: readonly string[]
}

/** Makes the one function that every route asks who calls. `id` is the `{id}` of the chat calls, already checked; `me` elsewhere. */
export function createResolver(options: ResolverOptions) {
  const { database, installationKey, clientIds, agentIds } = options

  return async function resolve(credentials: Credentials, id = 'me'): Promise<Resolution> {
    const bearer = bearerOf(credentials.authorization)
    if (bearer === 'malformed') return { kind: 'refused', code: 'unauthorized' }
    const [cookie] = credentials.cookies.length === 1 ? credentials.cookies.filter((value) => VISITOR_KEY_PATTERN.test(value)) : []
    if (bearer && cookie && bearer !== cookie) return { kind: 'refused', code: 'invalid_request' }
    const key = bearer ?? cookie
    const sub = key && (await findVisitorByKeyHash(database, hashOfVisitorKey(key)))
    if (bearer && !sub) return { kind: 'refused', code: 'unauthorized' }
    const staleCookie = credentials.cookies.length > 0 && !sub
    return { kind: 'resolved', caller: { ...(sub ? visitor(sub, id) : withoutCredential(id)), staleCookie } }
  }

  function visitor(sub: string, id: string): Omit<Caller, 'staleCookie'> {
    const access = { owner: sub, credential: true }
    const agent = agentIds.includes(id) ? id : null
    const own = agent !== null || id === sub || id === 'me'
    return { access, sub, lists: own ? sub : null, agent, continues: own }
  }

  function withoutCredential(id: string): Omit<Caller, 'staleCookie'> {
    const agent = agentIds.includes(id) ? id : null
    if (agent !== null || id === 'me' || !acceptsClientId(id)) return { access: 'by-id', sub: null, lists: null, agent, continues: true }
    const owner = ownerOfClientId(id, installationKey)
    return { access: { owner, credential: false }, sub: null, lists: owner, agent: null, continues: true }
  }

  function acceptsClientId(id: string): boolean {
    if (id.startsWith('v_') || clientIds === 'none') return false
    return clientIds === 'any' || isStrongClientId(id)
  }
}

export type Resolve = ReturnType<typeof createResolver>

/** As whom a caller sends a prompt. Without a principal a visitor is made, and `key` is theirs to keep. */
export function senderOf(caller: Caller): { sender: Sender; key: string | null } {
  const { access } = caller
  if (access !== 'by-id') return { sender: { owner: access.owner, access, newVisitor: null, openById: false }, key: null }
  const key = newVisitorKey()
  const newVisitor: NewVisitor = { id: newSub(), keyHash: hashOfVisitorKey(key) }
  return { sender: { owner: newVisitor.id, access, newVisitor, openById: true }, key }
}

function bearerOf(authorization: string | undefined): string | null | 'malformed' {
  if (authorization === undefined) return null
  const [, key] = /^Bearer ([^ ]+)$/i.exec(authorization) ?? []
  return key && VISITOR_KEY_PATTERN.test(key) ? key : 'malformed'
}
