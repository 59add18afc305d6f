import type { InstallationStatus } from '../../../contract/staff/status.ts'
import { isFailing } from './endpoint-health.ts'

const DAY_MS = 86_400_000
const BACKUP_DAYS = 7
/** From this share on, a budget is nearly used. */
const NEAR = 0.8

type Attention = InstallationStatus['attention']

/** Lists problems that need attention, as sentences. `firstUsedAt` is when the console was first used, `null` before; `allStoppedAt` when all answers were stopped. */
export function attentionOf(
  { problems, budgets, system, endpoints }: Pick<InstallationStatus, 'problems' | 'budgets' | 'system' | 'endpoints'>,
  { now, firstUsedAt, allStoppedAt }: { now: number; firstUsedAt: number | null; allStoppedAt: number | null },
): Attention {
  const { backup, migrations } = system
  const found: Attention = []
  if (allStoppedAt !== null) {
    const since = new Date(allStoppedAt).toISOString()
    found.push({ screen: 'stop', code: 'stops', values: { since }, text: `All answers have been stopped since ${since}.` })
  }
  const ofKnowledge = problems.filter(({ code }) => code === 'knowledge')
  const knowledge = ofKnowledge.length
  // Models are named below.
  const others = problems.filter(({ code }) => code !== 'knowledge' && code !== 'model').length
  if (others > 0)
    found.push({
      screen: 'status',
      code: 'operator',
      values: { count: others },
      text: counted(others, 'thing needs', 'things need', 'to be fixed by the operator.'),
    })
  if (knowledge > 0)
    found.push({
      screen: ofKnowledge.every(({ detail }) => detail.startsWith('source:')) ? 'websites' : 'knowledge',
      code: 'knowledge',
      values: { count: knowledge },
      text: counted(knowledge, 'problem', 'problems', 'with the knowledge.'),
    })
  for (const { name, answered, failed } of endpoints) {
    const total = failed + answered
    if (isFailing({ answered, failed }))
      found.push({
        screen: 'status',
        code: 'model',
        values: { name, failed, total },
        text: `The model ${name} failed ${failed} of the last ${total} times.`,
      })
  }
  for (const { period, used, limit } of budgets) {
    const percent = limit === 0 ? 100 : Math.min(100, Math.floor((used / limit) * 100))
    if (used >= limit * NEAR)
      found.push({
        screen: 'limits',
        code: period === 'day' ? 'budget-day' : 'budget-month',
        values: { percent },
        text: `${percent} % of the budget per ${period} is used.`,
      })
  }
  const backupAge = now - (backup.lastAt === null ? (firstUsedAt ?? now) : Date.parse(backup.lastAt))
  if (backupAge > BACKUP_DAYS * DAY_MS) {
    const days = Math.floor(backupAge / DAY_MS)
    found.push(
      backup.lastAt === null
        ? { screen: 'status', code: 'no-backup', values: {}, text: 'No backup is recorded.' }
        : { screen: 'status', code: 'old-backup', values: { days }, text: `The last recorded backup is ${days} days old.` },
    )
  }
  if (migrations.pending > 0)
    found.push({ screen: 'status', code: 'migrations', values: {}, text: 'Migrations of the database are pending.' })
  return found
}

const counted = (count: number, one: string, many: string, rest: string) => `${count} ${count === 1 ? one : many} ${rest}`
