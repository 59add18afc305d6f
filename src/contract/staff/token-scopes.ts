import type { StaffRight } from './roles.ts'

/**
 * Scopes of a token. One with a `right` reads from the staff API, since changes need a person; one bound to agents opens an endpoint for other
 * programs (docs/integrations.md).
 */
const SCOPES = {
  'read:figures': { right: 'read-figures' },
  'read:questions': { right: 'read-questions' },
  'read:status': { right: 'read-status' },
  'read:audit-log': { right: 'read-audit-log' },
  answer: { isBoundToAgents: true },
  'read:knowledge': { isBoundToAgents: true },
} as const satisfies Record<string, { right: StaffRight } | { isBoundToAgents: true }>
export type TokenScope = keyof typeof SCOPES
export const TOKEN_SCOPES = Object.keys(SCOPES) as TokenScope[]

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
