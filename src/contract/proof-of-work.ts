import { z } from 'zod'

const hex = z.string().regex(/^(?:[0-9a-f]{2}){1,64}$/)

/**
 * A proof-of-work challenge in the format of ALTCHA (version 2). The solution is the counter, from 0 to `data.most`, whose key starts
 * with `keyPrefix`. A key is PBKDF2 of `nonce` followed by the counter (32 bits, big-endian), with `salt` and `cost` iterations.
 */
export const Challenge = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.literal('PBKDF2/SHA-256'),
    cost: z.int().positive(),
    data: z.strictObject({
      expires: z.int().describe('When it expires, in seconds since the epoch.'),
      most: z.int().positive().describe('Largest possible counter.'),
    }),
    keyLength: z.int().positive(),
    keyPrefix: hex,
    keySignature: hex,
    nonce: hex,
    salt: hex,
  }),
  signature: hex,
})
export type Challenge = z.infer<typeof Challenge>

/** A challenge with its solution: Base64-encoded JSON in the `Proof-Of-Work` header. */
export const SolvedChallenge = z.strictObject({
  challenge: Challenge,
  solution: z.strictObject({ counter: z.int().nonnegative(), derivedKey: hex, time: z.number().optional() }),
})
export type SolvedChallenge = z.infer<typeof SolvedChallenge>
