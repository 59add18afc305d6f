import type { Agents } from '../answering/agents/agents.ts'
import type { Settings } from '../config/config.ts'
import { constant } from '../constant.ts'
import { Guard, type GuardOptions } from '../limits/guard.ts'
import { TokenLimits } from '../limits/token-limits.ts'
import { LoopLag, watchLoop } from '../limits/loop-lag.ts'
import { FairQueue, type FairQueueOptions } from '../limits/fair-queue.ts'
import type { QuotasOptions } from '../limits/quotas.ts'
import type { RuntimeLimits } from '../limits/runtime-limits.ts'

const monotonic = () => performance.now()

const MAX_WAIT_MS = constant('maxWaitMs', 10_000)
/** Average event loop lag from which on new prompts wait, which protects running answers. */
const MAX_LAG_MS = constant('maxLagMs', 100)

type GuardParts = QuotasOptions & {
  agents: Agents
  runtimeLimits: Pick<RuntimeLimits, 'current'>
  proof: GuardOptions['proof']
  isModerated: boolean
  onWaited: FairQueueOptions['onWaited']
}

/** The guard and its queue. `close` rejects all waiting prompts. */
export function createGuard(settings: Settings, { agents, runtimeLimits, onWaited, ...parts }: GuardParts) {
  const { limits, prices, fallback } = settings
  const values = () => runtimeLimits.current
  const lag = new LoopLag(MAX_LAG_MS)
  const queue = new FairQueue({
    get maxRunning() {
      return values().limits.allRunningTurns
    },
    get maxPending() {
      return values().limits.waitingPrompts
    },
    maxWaitMs: MAX_WAIT_MS,
    isSlow: () => lag.isHigh,
    now: monotonic,
    onWaited,
  })
  const stopWatching = watchLoop(lag, monotonic, () => queue.tick())
  const priced = { of: (agent: string) => prices.of((agents.find(agent) ?? agents.first).modelOf('primary').name), fallback }
  const guard = new Guard({
    ...parts,
    values,
    exemptsLoopback: !limits.limitLoopback && settings.trustedProxies.length === 0,
    queue,
    prices: priced,
  })
  return {
    guard,
    tokens: new TokenLimits({ ...parts, values, queue, prices: priced }),
    levels: () => ({ openStreams: guard.openStreams, runningPrompts: queue.running, waitingPrompts: queue.waiting, lagMs: lag.ms }),
    close() {
      stopWatching()
      queue.close()
    },
  }
}
