import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Whether a request carries the operator's token. Compares in constant time. */
export function carriesToken(request: FastifyRequest, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(request.headers.authorization ?? ''), hash(`Bearer ${token}`))
}

export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? '')?.[1]
}

/** The token of `parley doctor`, derived from the installation key. */
export function doctorToken(installationKey: string): string {
  return Buffer.from(hkdfSync('sha256', installationKey, '', 'parley doctor', 32)).toString('base64url')
}
