import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { SharedLimits } from '../../limits/shared-limits.ts'
import type { GroupMessage } from './run-processes.ts'

/** A process's part of the group that shares the port. */
export interface GroupMember {
  limits: SharedLimits
  /** Whether this process speaks for the group at the start. */
  isFirst: boolean
  /** Whether this process has the staff console. */
  hasConsole: boolean
  /** Tells the group that this process listens. */
  isReadyAt(address: string): void
  /** The metrics of all processes of the group. `own` are those of this one. */
  collectMetrics(): Promise<object[][]>
  /** Answers when another process collects metrics. */
  onCollect(own: () => Promise<object[]>): void
}

/** Joins the group, with the arguments that it was started with. */
export function joinGroup(limitsFile: string, hasConsole: boolean): GroupMember {
  const send = (message: GroupMessage) => process.send?.(message)
  const waiting = new Map<string, (metrics: object[][]) => void>()
  let own: () => Promise<object[]> = async () => []
  process.on('message', (message: GroupMessage) => {
    if (message.kind === 'collected') waiting.get(message.id)?.(message.metrics)
    if (message.kind !== 'collect') return
    own().then(
      (metrics) => send({ kind: 'metrics', id: message.id, metrics }),
      () => undefined,
    )
  })
  return {
    limits: new SharedLimits(limitsFile, cluster.worker?.id ?? 0),
    isFirst: cluster.worker?.id === 1,
    hasConsole,
    isReadyAt: (address) => void send({ kind: 'ready', address }),
    onCollect: (read) => (own = read),
    async collectMetrics() {
      const id = randomUUID()
      const { promise, resolve } = Promise.withResolvers<object[][]>()
      waiting.set(id, resolve)
      send({ kind: 'collect', id })
      return promise.finally(() => waiting.delete(id))
    },
  }
}
