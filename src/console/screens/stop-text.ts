import type { StopList } from '../../contract/staff/stops.ts'
import { t } from '../../ui/language/translate.ts'

export type Stop = StopList['stops'][number]

type Concerned = Pick<Stop, 'scope' | 'target'>

export function described({ scope, target }: Concerned): string {
  if (scope === 'all') return t('All answers')
  if (scope === 'agent') return t('Agent “{target}”', { target })
  return scope === 'topic' ? t('Topic “{target}”', { target }) : t('File “{target}”', { target })
}

export function stopQuestion({ scope, target }: Concerned): string {
  if (scope === 'all') return t('Stop all answers?')
  if (scope === 'agent') return t('Stop agent “{target}”?', { target })
  return scope === 'topic' ? t('Stop topic “{target}”?', { target }) : t('Stop file “{target}”?', { target })
}

export function resumeQuestion({ scope, target }: Concerned): string {
  if (scope === 'all') return t('Resume all answers?')
  if (scope === 'agent') return t('Resume agent “{target}”?', { target })
  return scope === 'topic' ? t('Resume topic “{target}”?', { target }) : t('Resume file “{target}”?', { target })
}
