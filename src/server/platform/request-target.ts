import type { IncomingMessage } from 'node:http'

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i
/** An escape of a letter or digit. No client needs it, and it makes equal paths differ as text. */
const ESCAPED_ALPHANUMERIC = /%(?:3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i

/** The origin form (`/path?query`) of a target that names the host of `Host`; others stay as they are and are rejected later. */
export function originForm({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const [origin, host] = ABSOLUTE_FORM.exec(url) ?? []
  if (origin === undefined || host?.toLowerCase() !== headers.host?.toLowerCase()) return url
  const target = url.slice(origin.length)
  return target.startsWith('/') ? target : `/${target}`
}

/** Whether a target, as `originForm` returns it, is a path without escaped letters or digits. The query may escape anything. */
export function isAcceptableTarget(target: string): boolean {
  const [path = ''] = target.split('?', 1)
  return path.startsWith('/') && !ESCAPED_ALPHANUMERIC.test(path)
}
