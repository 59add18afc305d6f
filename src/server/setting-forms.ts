import { z } from 'zod'

/** An unset variable and an empty one are the same, but for secrets: `.env` files have many of the latter. */
export const text = z.string().trim().min(1)

/** An address of one of these protocols; `example` is shown when it is not one. */
export function url(protocols: RegExp, example: string) {
  return z.url({ protocol: protocols, error: `must be an address like ${example}` })
}
