import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_IDEMPOTENCY_KEY_CHARACTERS, MIN_ANONYMOUS_IDEMPOTENCY_KEY_CHARACTERS } from '../../../contract/size-limits.ts'
import type { Access } from '../../store/visitors/access.ts'
import type { Sender } from '../../store/visitors/visitors.ts'
import type { IdempotencyClaim } from '../../store/turns/idempotency.ts'
import { networkOf } from '../../limits/network.ts'
import type { RepeatedRequest } from '../../visitors/first-keys.ts'

/** Keys of callers without a principal share one scope: the key alone identifies the sender, so it must be unguessable. */
const ANONYMOUS_SCOPE = ''

export const RepeatableHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARACTERS}}$`))
    .optional()
    .describe(
      'Makes the request safe to send again for a day: the same key and request give the same turn, another request is rejected with 422. ' +
        `Without a credential it needs ${MIN_ANONYMOUS_IDEMPOTENCY_KEY_CHARACTERS} characters or more to have that effect.`,
    ),
})
export type RepeatableHeaders = z.infer<typeof RepeatableHeaders>

/** @param identity Distinguishes this request from others with the same key: the call, its parameters and its body, in a fixed order. */
export function claimOf(headers: RepeatableHeaders, sender: Sender | Access, identity: readonly unknown[]): IdempotencyClaim | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  const scopes = scopesOf(sender, key)
  return scopes.length === 0 ? null : { scopes, keyHash: sha256(key), requestHash: sha256(JSON.stringify(identity)) }
}

/** A new visitor's idempotency key applies with and without their credential, because the reply that sets it may have been lost. */
function scopesOf(sender: Sender | Access, key: string): string[] {
  const anonymous = key.length >= MIN_ANONYMOUS_IDEMPOTENCY_KEY_CHARACTERS ? [ANONYMOUS_SCOPE] : []
  if (sender.owner === null) return anonymous
  return 'newVisitor' in sender && sender.newVisitor ? [...anonymous, sender.owner] : [sender.owner]
}

/** Identifies a repetition of a new visitor's request; `null` if its key is missing or guessable. */
export function repeatedRequestOf(request: FastifyRequest): RepeatedRequest | null {
  const idempotencyKey = request.headers['idempotency-key']
  const isStrong = typeof idempotencyKey === 'string' && idempotencyKey.length >= MIN_ANONYMOUS_IDEMPOTENCY_KEY_CHARACTERS
  return isStrong ? { idempotencyKey, network: networkOf(request.ip).own } : null
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
