/** With `RETENTION_DAYS=0` a chat has ended, and is deleted, after so long without activity. */
const KEPT_WITHOUT_RETENTION_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** On a shared computer everything of its visitor is deleted after so long without activity. */
export const SHARED_DEVICE_MS = 2 * 60 * 60 * 1000

/** How long a chat is kept after its last activity. */
export function keptMsOf(retentionDays: number): number {
  return retentionDays === 0 ? KEPT_WITHOUT_RETENTION_MS : retentionDays * DAY_MS
}

/** The same in words: "1 hour", "1 day", "30 days". */
export function keptInWords(retentionDays: number): string {
  if (retentionDays === 0) return '1 hour'
  return retentionDays === 1 ? '1 day' : `${retentionDays} days`
}
