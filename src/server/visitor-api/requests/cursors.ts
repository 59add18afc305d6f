import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'

/** Truncated from 32 bytes; still unguessable. */
const SEAL_BYTES = 16

/** Signs the position where a list continues, and reads it back. Rejects cursors of other lists or installations. */
export class Cursors {
  readonly #key: Uint8Array

  constructor(installationKey: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', installationKey, '', 'parley cursors', 32))
  }

  /** @param list Identifies the list and its owner. */
  write(list: readonly unknown[], place: unknown): string {
    const text = JSON.stringify(place)
    return `${Buffer.from(text).toString('base64url')}.${this.#sealOf(list, text).toString('base64url')}`
  }

  /** The position; `undefined` if the cursor belongs to another list. */
  read<Place>(list: readonly unknown[], cursor: string, place: z.ZodType<Place>): Place | undefined {
    const [text, seal] = cursor.split('.').map((part) => Buffer.from(part, 'base64url'))
    if (!text || seal?.length !== SEAL_BYTES || !timingSafeEqual(seal, this.#sealOf(list, text.toString()))) return undefined
    return place.parse(JSON.parse(text.toString()))
  }

  #sealOf(list: readonly unknown[], text: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([list, text]))
      .digest()
      .subarray(0, SEAL_BYTES)
  }
}
