import { createHmac, hash, randomBytes } from 'node:crypto'
import type { Visitor } from '../../contract/chat/sessions.ts'

/** 32 random bytes in base64url: the secret in a visitor's cookie or bearer token. */
export const VISITOR_KEY_PATTERN = /^[A-Za-z0-9_-]{43}$/

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const SUB_CHARACTERS = 26

/** A random key of 256 bits, in base64url. */
export function newVisitorKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a visitor key for storage. It has 256 random bits, so a plain hash is sufficient. */
export function hashOfVisitorKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** `v_` and 26 base32 characters (130 bits): public, authorizes nothing. */
export function newSub(): string {
  // 32 divides 256, so every character is equally likely.
  const characters = Array.from(randomBytes(SUB_CHARACTERS), (byte) => BASE32[byte % 32])
  return `v_${characters.join('')}`
}

/** The owner of sessions under a client-chosen id. The id is a secret, so only its HMAC is stored. */
export function ownerOfClientId(id: string, installationKey: string): string {
  return `c_${createHmac('sha256', installationKey).update(id).digest('base64url')}`
}

/** Whether a client-chosen id is hard to guess: a UUID, or at least 22 base64url characters, 8 of them distinct. */
export function isStrongClientId(id: string): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id)) return new Set(id).size >= 8
  return /^[A-Za-z0-9_-]{22,}$/.test(id) && new Set(id).size >= 8
}

export const describeVisitor = (sub: string): Visitor => ({ sub, name: 'User', picture: '/visitor.svg' })
