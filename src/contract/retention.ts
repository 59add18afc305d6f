/** With `RETENTION_DAYS=0` a chat has ended, and is deleted, after so long without activity. */
const KEPT_WITHOUT_RETENTION_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** On a shared computer everything of its visitor is deleted after so long without activity. */
export const SHARED_DEVICE_MS = 2 * 60 * 60 * 1000

/** How long a chat is kept after its last activity. */
export function retentionMsOf(retentionDays: number): number {
  return retentionDays === 0 ? KEPT_WITHOUT_RETENTION_MS : retentionDays * DAY_MS
}

/** The same in words: "1 hour", "1 day", "30 days"; or in those of another language, a BCP 47 tag. */
export function keptInWords(retentionDays: number, language = 'en'): string {
  const [count, unit] = retentionDays === 0 ? [1, 'hour'] : [retentionDays, 'day']
  // Every start says it in English, and `Intl` would hold 6 MB from then on: it is for the languages that are asked for.
  if (language === 'en') return `${count} ${unit}${count === 1 ? '' : 's'}`
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
