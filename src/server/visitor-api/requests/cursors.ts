import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { deriveKeys, type InstallationKeys } from '../../keys.ts'

/** Truncated from 32 bytes; still unguessable. */
const SEAL_BYTES = 16

/** Signs the position where a list continues, and reads it back. Rejects cursors of other lists or installations. */
export class Cursors {
  readonly #keys: [Buffer, ...Buffer[]]

  constructor(keys: InstallationKeys) {
    this.#keys = deriveKeys(keys, 'parley cursors')
  }

  /** @param list Identifies the list and its owner. */
  write(list: readonly unknown[], place: unknown): string {
    const text = JSON.stringify(place)
    return `${Buffer.from(text).toString('base64url')}.${sealOf(this.#keys[0], list, text).toString('base64url')}`
  }

  /** The position; `undefined` without a cursor, null if it belongs to another list. */
  read<Place>(list: readonly unknown[], cursor: string | undefined, place: z.ZodType<Place>): Place | undefined | null {
    if (cursor === undefined) return undefined
    const [text, seal] = cursor.split('.').map((part) => Buffer.from(part, 'base64url'))
    if (!text || seal?.length !== SEAL_BYTES) return null
    if (!this.#keys.some((key) => timingSafeEqual(seal, sealOf(key, list, text.toString())))) return null
    return place.parse(JSON.parse(text.toString()))
  }
}

function sealOf(key: Buffer, list: readonly unknown[], text: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([list, text]))
    .digest()
    .subarray(0, SEAL_BYTES)
}
