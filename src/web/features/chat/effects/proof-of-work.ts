import { onAbort } from '../../../../async/abort.ts'
import type { Challenge } from '../../../../contract/proof-of-work.ts'
import type { Outcome } from '../../../api/request.ts'
import { trustedScript } from '../../../../ui/trusted-script.ts'
// oxlint-disable-next-line import/default -- Vite makes it, with the address of the built worker
import workerAddress from './proof-worker.ts?worker&url'

const script = trustedScript('proof-of-work', workerAddress)

/** Maximum proofs for one prompt: a challenge may expire before its proof arrives. */
const PROOFS = 3

/** Calls again with the proof of work that `refused` requires. Returns `refused` if there is no proof. */
export async function withProof<T>(
  refused: Outcome<T>,
  call: (headers: Record<string, string>) => Promise<Outcome<T>>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  let outcome = refused
  for (let proofs = 0; proofs < PROOFS && !outcome.ok && outcome.challenge; proofs++) {
    const proof = await proofOfWork(outcome.challenge, signal)
    if (proof === null) break
    outcome = await call({ 'Proof-Of-Work': proof })
  }
  return outcome
}

/** Solves the challenge in a worker. Returns the header's value; `null` if that fails or `signal` aborts. */
function proofOfWork(challenge: Challenge, signal: AbortSignal): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const worker = new Worker(script, { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => resolve(data))
  worker.addEventListener('error', (event) => {
    console.error(event.message)
    resolve(null)
  })
  onAbort(signal, () => resolve(null))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to a worker has no other target
  worker.postMessage(challenge)
  return promise.finally(() => worker.terminate())
}
