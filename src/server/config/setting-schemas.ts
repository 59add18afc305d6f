import { z } from 'zod'

/** Reports all mistakes in the settings. Names settings, never their values. */
export class SettingsError extends Error {}

/** Empty variables count as unset, except for secrets: `.env` files contain many empty ones. */
export const text = z.string().trim().min(1)

export const money = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount like 12.50')
  .transform(Number)

/** A URL with one of these protocols. The error message shows `example`. */
export function url(protocols: RegExp, example: string) {
  return z.url({ protocol: protocols, error: `must be an address like ${example}` })
}

export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return z.enum(values, `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)
}

/** Names with commas between them. */
export function listOf(isValid: (name: string) => boolean, mistake: string) {
  return text
    .transform((value) => value.split(',').flatMap((name) => name.trim() || []))
    .refine((names) => names.every(isValid), mistake)
    .optional()
    .transform((names) => names ?? [])
}

/** The origin of a page. The error message shows `example`. */
export function pageOrigin(example: string) {
  return text
    .refine((value) => /^https?:\/\/[^/?#@]+\/?$/.test(value) && URL.canParse(value), `must be like ${example}, without a path`)
    .transform((value) => new URL(value).origin)
    .optional()
}

export function wholeNumber(low: number, high: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(low, `must be at least ${low}`).max(high, `must be at most ${high}`))
}
