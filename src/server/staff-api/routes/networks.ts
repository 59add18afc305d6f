import { z } from 'zod'
import { MIN_SHOWN } from '../../../contract/staff/figures.ts'
import { MIN_REJECTIONS } from '../../../contract/staff/network-limits.ts'
import { NetworkBlock, NetworkKey, NetworkList, NetworkUnblocked, NewNetworkBlock } from '../../../contract/staff/networks.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { AuditAction } from '../../staff/audit.ts'
import type { Database } from '../../store/engine/database.ts'
import { blockNetwork, type NetworkBlock as StoredBlock, readNetworkBlocks, unblockNetwork } from '../../store/staff/network-blocks.ts'
import { dayOfRejectedNetwork, listRejectedNetworks } from '../../store/staff/network-rejections.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { readActorNames } from '../staff-names.ts'
import { staffRoute } from '../staff-route.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const MAX_LISTED = 20
const MAX_BLOCKS = 100

const params = z.object({ network: NetworkKey })
const tags = ['networks']

/** Networks with many rejected requests. Every process enforces a block within a second. */
export function networkRoutes(app: Server, { database, audit, now }: ConsoleRouteOptions): void {
  const record = (actor: string, action: AuditAction, target: string) => (transaction: Database) =>
    audit.append(transaction, { at: now(), actor, action, target })
  /** The salts of today and yesterday are known, so their networks can be blocked. */
  const firstDay = () => Math.floor(now() / DAY_MS) - 1

  app.get(
    '/api/staff/v1/networks',
    staffRoute(
      { summary: 'List networks with many rejected requests, and those that are blocked', tags, reply: NetworkList },
      { staff: 'block-networks' },
    ),
    async () => {
      const names = await readActorNames(database, now())
      const rejected = await listRejectedNetworks(database, { since: firstDay(), min: MIN_REJECTIONS, limit: MAX_LISTED })
      return {
        rejected: rejected.map(({ day, reasons, ...network }) => ({ ...network, day: dateOf(day), reasons: withoutRare(reasons) })),
        blocks: (await readNetworkBlocks(database, now())).map((block) => viewOf(block, names.get(block.blockedBy))),
      }
    },
  )

  app.post(
    '/api/staff/v1/networks/:network/block',
    staffRoute(
      {
        summary: 'Block a network for some hours',
        description: 'New messages and files from it are rejected. Its visitors can still read, export and delete their chats.',
        tags,
        params,
        body: NewNetworkBlock,
        reply: NetworkBlock,
      },
      { staff: 'block-networks', isSensitive: true },
    ),
    async (request, reply) => {
      const { network } = request.params
      const { hours, reason } = request.body
      const { member } = staffOf(request)
      const day = await dayOfRejectedNetwork(database, network, firstDay())
      if (day === undefined) return reject(reply, 'not_found')
      const blockedAt = now()
      const block = { network, reason, blockedAt, blockedBy: member.id, endsAt: blockedAt + hours * HOUR_MS }
      const result = await blockNetwork(database, { ...block, day, max: MAX_BLOCKS }, record(member.id, 'network.block', network))
      if (result === 'unknown') return reject(reply, 'not_found')
      if (result !== 'done') return rejectStaff(reply, result === 'full' ? 'too_many_blocks' : 'changed_meanwhile')
      return viewOf(block, member.name)
    },
  )

  app.delete(
    '/api/staff/v1/networks/:network/block',
    staffRoute({ summary: 'Unblock a network', tags, params, reply: NetworkUnblocked }, { staff: 'block-networks', isSensitive: true }),
    async (request, reply) => {
      const { network } = request.params
      const isDone = await unblockNetwork(database, network, record(staffOf(request).member.id, 'network.unblock', network))
      return isDone ? { unblocked: true as const } : reject(reply, 'not_found')
    },
  )
}

function viewOf({ network, reason, blockedAt, endsAt }: Omit<StoredBlock, 'salt'>, by: string | undefined) {
  return { network, reason, since: new Date(blockedAt).toISOString(), until: new Date(endsAt).toISOString(), by: by ?? null }
}

/** Reasons of which there are few are added together. */
function withoutRare(reasons: readonly { code: string; count: number }[]) {
  const shown = reasons.filter(({ count }) => count >= MIN_SHOWN)
  const other = reasons.reduce((sum, { count }) => sum + (count >= MIN_SHOWN ? 0 : count), 0)
  return other === 0 ? shown : [...shown, { code: 'other', count: other }]
}

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
