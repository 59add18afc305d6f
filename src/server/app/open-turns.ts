import { setTimeout as pause } from 'node:timers/promises'
import { retentionMsOf } from '../../contract/chat/retention.ts'
import type { Agents } from '../answering/agents/agents.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import type { Settings } from '../config/config.ts'
import type { Server } from '../platform/server.ts'
import type { LimitValues } from '../limits/adjustable-limits.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import type { Database } from '../store/engine/database.ts'
import type { ProcessSlots } from '../turns/process-slots.ts'
import { startSweeper, Sweeper } from '../turns/sweeper.ts'
import { Turns, type TurnsOptions } from '../turns/turns.ts'
import { UnstoredAnswers } from '../turns/unstored-answers.ts'
import { openFigures } from './open-figures.ts'
import type { createMetrics } from './optional-parts.ts'

/** Share of the pool's connections that turns may use to start; the others stay free for answers and reads. */
const STARTING_SHARE = 0.6

/** The start waits this long for the first sweep, which then continues in the background. */
const FIRST_SWEEP_MS = 1_000

export interface TurnParts {
  app: Server
  database: Database
  pubsub: PubSub
  agents: Agents
  slots: ProcessSlots
  moderator: Moderator | null
  key: string
  metrics: Awaited<ReturnType<typeof createMetrics>>
  values: () => LimitValues
  now: () => number
  onFault: (message: string, cause: unknown, context?: object) => void
}

export async function openTurns(settings: Settings, { app, agents, slots, moderator, key, metrics, values, ...shared }: TurnParts) {
  const { database, now, onFault } = shared
  const figures = openFigures(settings, app, { database, retentionMs: retentionMsOf(settings.retentionDays), now, onFault, metrics })
  const turns = new Turns({
    ...shared,
    ...turnSettings(settings, values),
    agents,
    instance: slots.instance,
    moderator,
    installationKey: key,
    onTurnEnd: figures.turnEnded,
  })
  const unstoredAnswers = new UnstoredAnswers({ database, moderator, now, onFault, onTurnEnd: figures.turnEnded })
  const sweeper = new Sweeper({ ...shared, slots, turns, onTurnEnd: figures.turnAbandoned })
  await sweepTurnsAtStart(sweeper, onFault)
  return { turns, unstoredAnswers, figures, stopSweeper: startSweeper(sweeper, onFault) }
}

/** Ends the turns that this process left running before its restart. A slow database does not delay the start. */
async function sweepTurnsAtStart(sweeper: Sweeper, onFault: (message: string, cause: unknown) => void): Promise<void> {
  const sweep = sweeper.begin().catch((error: unknown) => onFault('Sweeping turns at start failed; the sweeper tries again', error))
  await Promise.race([sweep, pause(FIRST_SWEEP_MS, undefined, { ref: false })])
}

/** On PostgreSQL, prompts share a small pool, and processes share visitors. */
function turnSettings({ database }: Settings, values: () => LimitValues): Pick<TurnsOptions, 'maxStarting' | 'maxOfOwner'> {
  if (database.kind === 'sqlite') return {}
  return { maxStarting: Math.floor(database.connections * STARTING_SHARE), maxOfOwner: () => values().limits.runningTurns }
}
