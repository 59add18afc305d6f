import { onAbort } from '../../../../contract/abort.ts'
import type { Challenge, SolvedChallenge } from '../../../../contract/proof-of-work.ts'
import type { Outcome } from '../../../api/request.ts'
import { trustedScript } from '../../../ui/trusted-script.ts'
// oxlint-disable-next-line import/default -- Vite makes it, with the address of the built worker
import workerAddress from './proof-worker.ts?worker&url'

/** What the worker tells: how far it has come, from 0 to 1, and how it came out. */
export type ProofReport =
  | { kind: 'progress'; share: number }
  | { kind: 'solved'; solution: SolvedChallenge['solution'] }
  | { kind: 'failed' }

const script = trustedScript('proof-of-work', workerAddress)

/** How often work is done for one prompt: more than once when it came too late, or the day has changed. */
const PROOFS = 3

/** Calls again with the work that the server has asked for, in `refused`; gives what came of it, or `refused` when the work was not done. */
export async function withProof<T>(
  refused: Outcome<T>,
  call: (headers: Record<string, string>) => Promise<Outcome<T>>,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  let outcome = refused
  for (let proofs = 0; proofs < PROOFS && !outcome.ok && outcome.challenge; proofs++) {
    const proof = await proofOfWork(outcome.challenge, onProgress, signal)
    if (proof === null) break
    outcome = await call({ 'Proof-Of-Work': proof })
  }
  return outcome
}

/** Does the work beside the page; gives the header that shows it, or null when it could not be done or `signal` aborts. */
function proofOfWork(challenge: Challenge, onProgress: (share: number) => void, signal: AbortSignal): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const worker = new Worker(script, { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ProofReport>) => {
    if (data.kind === 'progress') onProgress(data.share)
    else resolve(data.kind === 'solved' ? btoa(JSON.stringify({ challenge, solution: data.solution } satisfies SolvedChallenge)) : null)
  })
  worker.addEventListener('error', (event) => {
    console.error(event.message)
    resolve(null)
  })
  onAbort(signal, () => resolve(null))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to a worker has no other target
  worker.postMessage(challenge)
  return promise.finally(() => worker.terminate())
}
