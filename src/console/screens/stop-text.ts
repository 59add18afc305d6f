import type { StopList } from '../../contract/staff/stops.ts'
import { t } from '../../ui/language/translate.ts'

export type Stop = StopList['stops'][number]

type Concerned = Pick<Stop, 'scope' | 'target'>

export function described({ scope, target }: Concerned): string {
  if (scope === 'all') return t('All answers')
  if (scope === 'agent') return t('Agent “{target}”', { target })
  return scope === 'topic' ? t('Topic “{target}”', { target }) : t('File “{target}”', { target })
}
