import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge, SolvedChallenge } from '../../../../contract/proof-of-work.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's message has no target but its page
const report = (proof: string | null) => self.postMessage(proof)

/** Replies with the `Proof-Of-Work` header for each challenge; `null` if there is none. */
self.addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge, deriveKey }).then(
    (solution) => report(solution && btoa(JSON.stringify({ challenge, solution } satisfies SolvedChallenge))),
    () => report(null),
  )
})
