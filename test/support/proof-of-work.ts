import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge, SolvedChallenge } from '../../src/contract/proof-of-work.ts'

/** Solves a challenge, like any ALTCHA client. */
export async function proofOf(challenge: Challenge): Promise<SolvedChallenge> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge has no solution')
  return { challenge, solution }
}

/** The header with the solution. */
export async function solve(challenge: Challenge): Promise<string> {
  return Buffer.from(JSON.stringify(await proofOf(challenge))).toString('base64')
}
