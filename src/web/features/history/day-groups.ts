export type GroupName = 'Today' | 'Yesterday' | 'Last 7 days' | 'Older'

/** Groups items, newest first, by the day of their last activity in the reader's time zone. Omits empty groups. */
export function dayGroups<T extends { updatedAt: string }>(items: T[], now: Date): { name: GroupName; items: T[] }[] {
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  const [today, yesterday, week] = [daysAgo(0), daysAgo(1), daysAgo(7)]
  const nameOf = ({ updatedAt }: T): GroupName => {
    const day = new Date(updatedAt)
    if (day >= today) return 'Today'
    return day >= yesterday ? 'Yesterday' : day >= week ? 'Last 7 days' : 'Older'
  }
  return Array.from(Map.groupBy(items, nameOf), ([name, found]) => ({ name, items: found }))
}
