import type { StaffRight } from './roles.ts'

/** Scopes of a token: reads only, since changes need a person. */
export const TOKEN_SCOPES = ['read:figures', 'read:questions', 'read:status', 'read:audit-log'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** The right that a scope gives. */
export const RIGHT_OF_SCOPE = {
  'read:figures': 'read-figures',
  'read:questions': 'read-questions',
  'read:status': 'read-status',
  'read:audit-log': 'read-audit-log',
} as const satisfies Record<TokenScope, StaffRight>
