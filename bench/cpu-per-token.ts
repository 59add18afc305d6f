import { setTimeout as pause } from 'node:timers/promises'
import { relativeTo, type Figure, microseconds } from './support/measurement.ts'
import { cpuTimeMs } from './support/processes.ts'
import { type Setup, withSetup } from './support/setup.ts'
import { median } from './support/statistics.ts'
import { modelTarget, type Target } from './support/target.ts'

const STREAMS = 100
const TOKENS_PER_SECOND = 50
const SETTLE_MS = 3_000
const WINDOW_MS = 5_000
/** The targets take turns, so that a machine that gets slower or quicker meanwhile changes both. */
const ROUNDS = 3
/** Enough tokens for the streams to outlast the window. */
const TOKENS_A_STREAM = ((SETTLE_MS + WINDOW_MS) / 1000 + 7) * TOKENS_PER_SECOND
/** Below this share of the rate, the machine could not keep up and the figure is invalid. */
const LEAST_SHARE_OF_RATE = 0.9
const ALLOWED = 2

const MODEL_ARGUMENTS = [
  '--text',
  Array.from({ length: TOKENS_A_STREAM }, () => '~word').join(' '),
  '--tokens-per-second',
  String(TOKENS_PER_SECOND),
]

/** CPU time per streamed token of the process in the middle alone, with 100 streams of 50 tokens a second. */
export const cpuPerToken: Figure = {
  name: 'cpu-per-token',
  measure: () =>
    withSetup(MODEL_ARGUMENTS, async ({ processes, client, parley, origin, targets: [, throughParley] }) => {
      const proxy = await processes.proxy(origin)
      const throughProxy = modelTarget('bare proxy', proxy.url)
      const bare: number[] = []
      const ours: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        bare.push(await microsecondsPerToken(client, throughProxy, proxy.pid))
        ours.push(await microsecondsPerToken(client, throughParley, parley.pid))
      }
      const base = { name: 'bare proxy', value: median(bare) }
      return [relativeTo(`CPU per token, ${STREAMS} streams`, median(ours), base, microseconds, ALLOWED)]
    }),
}

async function microsecondsPerToken(client: Setup['client'], target: Target, pid: number): Promise<number> {
  await client.number({ kind: 'open-streams', target, streams: STREAMS })
  await pause(SETTLE_MS)
  const [cpuBefore, tokensBefore] = [cpuTimeMs(pid), await client.number({ kind: 'count-tokens' })]
  await pause(WINDOW_MS)
  const [cpuAfter, tokensAfter] = [cpuTimeMs(pid), await client.number({ kind: 'count-tokens' })]
  await client.number({ kind: 'close-streams' })
  const tokens = tokensAfter - tokensBefore
  const expected = (STREAMS * TOKENS_PER_SECOND * WINDOW_MS) / 1000
  if (tokens < expected * LEAST_SHARE_OF_RATE) throw new Error(`${target.name}: only ${tokens} of ${expected} tokens came through.`)
  return ((cpuAfter - cpuBefore) * 1000) / tokens
}
