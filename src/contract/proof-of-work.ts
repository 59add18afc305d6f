import { z } from 'zod'

const hex = z.string().regex(/^(?:[0-9a-f]{2}){1,64}$/)

/**
 * Work that a client is asked for, in the form of ALTCHA (version 2): to find the counter, from 0 to `data.most`, whose key begins
 * with `keyPrefix`. A key is PBKDF2 with `cost` rounds, of `nonce` followed by the counter (32 bits, big-endian), under `salt`.
 */
export const Challenge = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.literal('PBKDF2/SHA-256'),
    cost: z.int().positive(),
    data: z.strictObject({
      expires: z.int().describe('Until when it is accepted, in seconds since 1970.'),
      most: z.int().positive().describe('The counter is not above this.'),
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

/** A challenge as it was given, with what was found: JSON in Base64, in the header `Proof-Of-Work`. */
export const SolvedChallenge = z.strictObject({
  challenge: Challenge,
  solution: z.strictObject({ counter: z.int().nonnegative(), derivedKey: hex, time: z.number().optional() }),
})
export type SolvedChallenge = z.infer<typeof SolvedChallenge>
