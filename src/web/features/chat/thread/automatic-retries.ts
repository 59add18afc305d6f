/** How often each of the newest hundred prompts and answers was retried automatically. */
const counts = new Map<string, number>()

export const retriesOf = (id: string): number => counts.get(id) ?? 0

export function countRetry(id: string): void {
  counts.set(id, retriesOf(id) + 1)
  if (counts.size > 100) counts.delete([...counts.keys()][0] ?? '')
}
