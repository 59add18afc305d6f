import { z } from 'zod'

/** A request as the server sees it behind its proxies. The doctor compares it with what it sent. */
export const SeenRequest = z.strictObject({
  protocol: z.enum(['http', 'https']),
  host: z.string(),
  /** The client's address, by which networks are limited. */
  client: z.string(),
  /** The address that connected: the proxy's, if there is one. */
  peer: z.string(),
  /** Whether the peer's `X-Forwarded-*` headers are trusted; `false` if it sends no `X-Forwarded-For`. */
  isPeerTrusted: z.boolean(),
  /** Names of the forwarding headers that arrived. */
  forwarded: z.array(z.string()),
  hasCookie: z.boolean(),
  /** The `Set-Cookie` header that was sent. */
  cookie: z.string(),
})
export type SeenRequest = z.infer<typeof SeenRequest>

/** Name of the cookie that the doctor sends. The one that it receives is named as a visitor's is. */
export const DOCTOR_COOKIE = 'doctor'

/** Path of the reply that describes its request. */
export const DOCTOR_PATH = '/doctor'

/** Pause between the two events of the reply. They arrive together if something on the way buffers. */
export const DOCTOR_PAUSE_MS = 1_000
