export interface DayGroup<T> {
  name: 'Today' | 'Yesterday' | 'Earlier'
  items: T[]
}

/** Groups items, newest first, by the day of their last activity in the reader's time zone; empty groups are left out. */
export function dayGroups<T extends { updatedAt: string }>(items: T[], now: Date): DayGroup<T>[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  const nameOf = ({ updatedAt }: T): DayGroup<T>['name'] => {
    const day = new Date(updatedAt)
    return day >= today ? 'Today' : day >= yesterday ? 'Yesterday' : 'Earlier'
  }
  const names = ['Today', 'Yesterday', 'Earlier'] as const
  return names.map((name) => ({ name, items: items.filter((item) => nameOf(item) === name) })).filter((group) => group.items.length > 0)
}
