import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from '../../../../contract/proof-of-work.ts'
import type { ProofReport } from './proof-of-work.ts'

/** The challenge is over by then. */
const GIVE_UP_MS = 5 * 60_000
/** A report for so many keys. */
const REPORT_EVERY = 10

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's message has no target but its page
const report = (message: ProofReport) => self.postMessage(message)

self.addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  const { most } = challenge.parameters.data
  let tried = 0
  const counted: typeof deriveKey = (...key) => {
    tried += 1
    if (tried % REPORT_EVERY === 0) report({ kind: 'progress', share: Math.min(1, tried / most) })
    return deriveKey(...key)
  }
  solveChallenge({ challenge, deriveKey: counted, timeout: GIVE_UP_MS }).then(
    (solution) => report(solution ? { kind: 'solved', solution } : { kind: 'failed' }),
    () => report({ kind: 'failed' }),
  )
})
