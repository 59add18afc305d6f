import type { FastifyRequest } from 'fastify'
import { SolvedChallenge } from '../../../contract/proof-of-work.ts'

/** Longer than any that is made here. */
const MAX_CHARACTERS = 4_096

/** The work that came with a request, unchecked; undefined where there is none that can be read. */
export function solvedChallengeOf({ headers }: FastifyRequest): SolvedChallenge | undefined {
  const header = headers['proof-of-work']
  if (typeof header !== 'string' || header.length > MAX_CHARACTERS) return undefined
  try {
    return SolvedChallenge.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}
