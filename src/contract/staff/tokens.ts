import { z } from 'zod'
import { AnyAgentId } from './content/agents.ts'
import { ActorName } from './people.ts'
import { StaffId } from './session.ts'
import { isBoundToAgents, isBoundToCollection, MAX_TOKEN_DAYS, MAX_WRITING_DAYS, TOKEN_CAPS, TOKEN_SCOPES } from './token-scopes.ts'

export const MAX_TOKENS = 50
const MAX_AGENTS = 50

const cap = ({ value, max }: { value: number; max: number }) => z.int().min(1).max(max).default(value)

export const TokenCaps = z.strictObject({
  promptsPerMinute: cap(TOKEN_CAPS.promptsPerMinute).describe('Prompts, or calls of the knowledge, a minute.'),
  promptsPerDay: cap(TOKEN_CAPS.promptsPerDay).describe('The same a day (UTC).'),
  tokensPerDay: cap(TOKEN_CAPS.tokensPerDay).describe('Model tokens (input and output) a day (UTC).'),
})
export type TokenCaps = z.output<typeof TokenCaps>

const CollectionName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)

export const NewToken = z
  .strictObject({
    name: ActorName.describe('Purpose of the token, such as the program that uses it.'),
    scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length),
    agents: z
      .array(AnyAgentId)
      .max(MAX_AGENTS)
      .default([])
      .describe('Ids of the agents that it may use; needed for `answer` and `read:knowledge`, and for these alone.'),
    collection: CollectionName.nullable()
      .default(null)
      .describe(
        'Documents, approved answers and agents that it may change: those whose id is this or begins with this and a hyphen. Needed for `write:drafts` and `publish`, and for these alone.',
      ),
    caps: TokenCaps.prefault({}),
    days: z.int().min(1).max(MAX_TOKEN_DAYS).default(90).describe('How long it works; with `write:drafts` or `publish`, at most 90.'),
  })
  .refine(({ scopes, agents }) => scopes.some(isBoundToAgents) === agents.length > 0)
  .refine(({ scopes, collection }) => scopes.some(isBoundToCollection) === (collection !== null))
  .refine(({ scopes, days }) => !scopes.some(isBoundToCollection) || days <= MAX_WRITING_DAYS, { path: ['days'], error: 'too many' })

const Timestamp = z.iso.datetime()
export const TokenInForce = z.object({
  id: StaffId,
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  agents: z.array(z.string()),
  collection: z.string().nullable(),
  caps: TokenCaps,
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type TokenInForce = z.infer<typeof TokenInForce>
export const TokenList = z.object({ tokens: z.array(TokenInForce) })
export type TokenList = z.infer<typeof TokenList>

/** The token itself, which is shown only now: the server stores a hash. */
export const CreatedToken = TokenInForce.extend({ token: z.string() })
export type CreatedToken = z.infer<typeof CreatedToken>
