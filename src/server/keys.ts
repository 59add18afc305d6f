import { createHash, hkdfSync } from 'node:crypto'

/**
 * The installation keys, newest first. What is sealed or signed from now on uses the current one; the former ones still open and verify
 * what was made before.
 */
export type InstallationKeys = readonly [current: string, ...former: string[]]

/** The key of one-way hashes, which can't be made again: that of the first start. */
export const firstKey = (keys: InstallationKeys): string => keys.at(-1) ?? keys[0]

/** Names a key without telling anything about it. */
export const keyIdOf = (key: string): string => createHash('sha256').update('parley key id').update(key).digest('hex').slice(0, 16)

/** A key for one purpose from each installation key, the current one first. */
export function deriveKeys(keys: InstallationKeys, purpose: string): [Buffer, ...Buffer[]] {
  const derive = (key: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32))
  const [current, ...former] = keys
  return [derive(current), ...former.map(derive)]
}
