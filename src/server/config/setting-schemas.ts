import { z } from 'zod'

/** An unset variable and an empty one are the same, but for secrets: `.env` files have many of the latter. */
export const text = z.string().trim().min(1)

export const money = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount like 12.50')
  .transform(Number)

/** An address of one of these protocols; `example` is shown when it is not one. */
export function url(protocols: RegExp, example: string) {
  return z.url({ protocol: protocols, error: `must be an address like ${example}` })
}
