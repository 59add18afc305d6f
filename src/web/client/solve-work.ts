import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from '../../contract/proof-of-work.ts'

/** The `Proof-Of-Work` header for a challenge: takes some seconds. */
export async function solveWork(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge has no solution.')
  return btoa(JSON.stringify({ challenge, solution }))
}
