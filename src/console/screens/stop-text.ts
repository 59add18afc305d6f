import type { StopList } from '../../contract/staff/stops.ts'

export type Stop = StopList['stops'][number]

/** What a stop concerns. */
export function described({ scope, target }: Pick<Stop, 'scope' | 'target'>): string {
  if (scope === 'all') return 'All answers'
  return `${{ agent: 'Agent', topic: 'Topic', file: 'File' }[scope]} “${target}”`
}
