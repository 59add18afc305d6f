/** With `RETENTION_DAYS=0`, chats are deleted after this time without activity. */
const MIN_RETENTION_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** On a shared computer, all data of the visitor is deleted after this time without activity. */
export const SHARED_DEVICE_MS = 2 * 60 * 60 * 1000

/** Time from the last activity of a chat until it is deleted. */
export function retentionMsOf(retentionDays: number): number {
  return retentionDays === 0 ? MIN_RETENTION_MS : retentionDays * DAY_MS
}

/** The retention time in words, such as "30 days", in the language of a BCP 47 tag. */
export function formatRetention(retentionDays: number, language = 'en'): string {
  const [count, unit] = retentionDays === 0 ? [1, 'hour'] : [retentionDays, 'day']
  // Logged in English at every start: avoids `Intl`, which would occupy 6 MB from then on.
  if (language === 'en') return `${count} ${unit}${count === 1 ? '' : 's'}`
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
