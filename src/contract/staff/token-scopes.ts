import type { StaffRight } from './roles.ts'

/**
 * Scopes of a token. One with a `right` reads from the staff API, one bound to a collection changes that collection through it, and one bound
 * to agents opens an endpoint for other programs (docs/integrations.md).
 */
const SCOPES = {
  'read:figures': { right: 'read-figures' },
  'read:questions': { right: 'read-questions' },
  'read:status': { right: 'read-status' },
  'read:audit-log': { right: 'read-audit-log' },
  answer: { isBoundToAgents: true },
  'read:knowledge': { isBoundToAgents: true },
  'write:drafts': { isBoundToCollection: true },
  publish: { isBoundToCollection: true },
} as const satisfies Record<string, { right: StaffRight } | { isBoundToAgents: true } | { isBoundToCollection: true }>
export type TokenScope = keyof typeof SCOPES
export const TOKEN_SCOPES = Object.keys(SCOPES) as TokenScope[]
export type WriteScope = 'write:drafts' | 'publish'

/** How long a token works, in days: any, and one that writes. */
export const MAX_TOKEN_DAYS = 366
export const MAX_WRITING_DAYS = 90

/** Caps of a token that is bound to agents, instead of those of visitors and networks: the default and the most. */
export const TOKEN_CAPS = {
  promptsPerMinute: { value: 60, max: 10_000 },
  promptsPerDay: { value: 2_000, max: 1_000_000 },
  tokensPerDay: { value: 5_000_000, max: 1_000_000_000 },
} as const
export type TokenCap = keyof typeof TOKEN_CAPS

/** The right in the staff API that a scope gives; `null` for none. */
export function rightOfScope(scope: TokenScope): StaffRight | null {
  const found = SCOPES[scope]
  return 'right' in found ? found.right : null
}

export function isBoundToAgents(scope: TokenScope): boolean {
  return 'isBoundToAgents' in SCOPES[scope]
}

export function isBoundToCollection(scope: TokenScope): boolean {
  return 'isBoundToCollection' in SCOPES[scope]
}

/** Whether a collection has a document, an approved answer or an agent: their ids begin with its name. */
export function collectionHas(collection: string, id: string): boolean {
  return id === collection || id.startsWith(`${collection}-`)
}
