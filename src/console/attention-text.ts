import type { InstallationStatus } from '../contract/staff/status.ts'
import { t } from '../ui/language/translate.ts'

export function attentionText({ code, values }: InstallationStatus['attention'][number]): string {
  const { count = 0, name = '', failed = 0, total = 0, percent = 0, days = 0 } = values
  switch (code) {
    case 'operator':
      return t.plural(Number(count), '{count} thing needs to be fixed by the operator.', '{count} things need to be fixed by the operator.')
    case 'knowledge':
      return t.plural(Number(count), '{count} problem with the knowledge.', '{count} problems with the knowledge.')
    case 'model':
      return t('The model {name} failed {failed} of the last {total} times.', { name, failed, total })
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
