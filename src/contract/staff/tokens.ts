import { z } from 'zod'
import { StaffId } from './session.ts'
import { TOKEN_SCOPES } from './token-scopes.ts'

export const MAX_TOKENS = 50

export const NewToken = z.strictObject({
  name: z.string().trim().min(1).max(100).describe('Purpose of the token, such as the program that uses it.'),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length),
  days: z.int().min(1).max(366).default(90).describe('How long it works.'),
})

const Timestamp = z.iso.datetime()
export const TokenInForce = z.object({
  id: StaffId,
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type TokenInForce = z.infer<typeof TokenInForce>
export const TokenList = z.object({ tokens: z.array(TokenInForce) })
export type TokenList = z.infer<typeof TokenList>

/** The token itself, which is shown only now: the server stores a hash. */
export const CreatedToken = TokenInForce.extend({ token: z.string() })
export type CreatedToken = z.infer<typeof CreatedToken>
