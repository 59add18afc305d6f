import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge, SolvedChallenge } from '../../src/contract/proof-of-work.ts'

/** Does the work that is asked for, as any client of ALTCHA does. */
export async function proofOf(challenge: Challenge): Promise<SolvedChallenge> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge has no solution')
  return { challenge, solution }
}

/** The header that shows it. */
export async function solve(challenge: Challenge): Promise<string> {
  return Buffer.from(JSON.stringify(await proofOf(challenge))).toString('base64')
}
