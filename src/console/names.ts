import type { LimitInForce } from '../contract/staff/limits.ts'
import type { StaffRole } from '../contract/staff/roles.ts'
import type { InstallationStatus } from '../contract/staff/status.ts'
import { modelName } from '../ui/language/model-name.ts'
import { defineMessage, type MessageText, t } from '../ui/language/translate.ts'

/** Roles, as they stand after a name. */
export const ROLE_NAMES: Readonly<Record<StaffRole, MessageText>> = {
  owner: defineMessage('owner'),
  editor: defineMessage('editor'),
  reviewer: defineMessage('reviewer'),
  viewer: defineMessage('viewer'),
}

const STATE_NAMES: Readonly<Record<string, MessageText>> = {
  answered: defineMessage('Answered with sources'),
  answered_without_source: defineMessage('Answered without a source'),
  clarified: defineMessage('Asked back'),
  not_covered: defineMessage('Not covered'),
  out_of_scope: defineMessage('Out of scope'),
  referred: defineMessage('Referred'),
  blocked_input: defineMessage('Blocked prompt'),
  blocked_output: defineMessage('Blocked answer'),
  suspended: defineMessage('Stopped by staff'),
  failed: defineMessage('Failed'),
  stopped: defineMessage('Stopped by the visitor'),
  interrupted: defineMessage('Interrupted'),
}

export const stateName = (state: string): string => (STATE_NAMES[state] ? t(STATE_NAMES[state]) : state)

/** The words of a code by which a prompt was turned away or an answer failed. */
export const reasonName = (code: string): string => t(code.replaceAll('_', ' ') as MessageText)

/** Label of a limit, which the catalogs have. */
export const limitName = ({ description }: Pick<LimitInForce, 'description'>): string => t(firstSentenceOf(description) as MessageText)

export function firstSentenceOf(description: string): string {
  return (description.split(/(?<=\.) /, 1)[0] ?? description).replace(/\.$/, '')
}

export function attentionText({ code, values }: InstallationStatus['attention'][number]): string {
  const { since = '', count = 0, name = '', failed = 0, total = 0, percent = 0, days = 0 } = values
  switch (code) {
    case 'stops':
      return t('All answers have been stopped since {time}.', { time: t.time(String(since), { dateStyle: 'medium', timeStyle: 'short' }) })
    case 'operator':
      return t.plural(Number(count), '{count} thing needs to be fixed by the operator.', '{count} things need to be fixed by the operator.')
    case 'knowledge':
      return t.plural(Number(count), '{count} problem with the knowledge.', '{count} problems with the knowledge.')
    case 'model':
      return t('The model {name} failed {failed} of the last {total} times.', { name: modelName(String(name)), failed, total })
    case 'budget-day':
      return t('{percent} % of the budget per day is used.', { percent })
    case 'budget-month':
      return t('{percent} % of the budget per month is used.', { percent })
    case 'no-backup':
      return t('No backup is recorded.')
    case 'old-backup':
      return t('The last recorded backup is {days} days old.', { days })
    case 'migrations':
      return t('Migrations of the database are pending.')
  }
}
