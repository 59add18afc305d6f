import { expect, test } from 'vitest'
import { dayGroups } from './day-groups.ts'

const at = (day: number, hour: number) => ({ updatedAt: new Date(2026, 2, day, hour).toISOString() })
const NOW = new Date(2026, 2, 30, 0, 30)

test('groups by local day, even right after midnight and across a clock change', () => {
  expect(dayGroups([at(30, 0), at(29, 23), at(29, 0), at(28, 23), at(23, 0), at(22, 23)], NOW)).toEqual([
    { name: 'Today', items: [at(30, 0)] },
    { name: 'Yesterday', items: [at(29, 23), at(29, 0)] },
    { name: 'Last 7 days', items: [at(28, 23), at(23, 0)] },
    { name: 'Older', items: [at(22, 23)] },
  ])
})

test('omits empty groups, and counts future dates as today', () => {
  expect(dayGroups([at(31, 12)], NOW).map(({ name }) => name)).toEqual(['Today'])
  expect(dayGroups([], NOW)).toEqual([])
})
