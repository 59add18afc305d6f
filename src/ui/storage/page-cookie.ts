export function readCookie(cookies: string, name: string): string | null {
  const values = cookies.split(';').map((cookie) => cookie.trim().split('='))
  return values.find(([other]) => other === name)?.[1] ?? null
}

/** Context of the page: https, and embedding in another site, where cookies are partitioned. */
export interface Place {
  isHttps: boolean
  isEmbedded: boolean
}

/** Seconds, until the browser closes, or removed now. */
export type CookieLifetime = number | 'session' | 'gone'

export function pageCookie(name: string, value: string, lifetime: CookieLifetime, { isHttps, isEmbedded }: Place): string {
  const maxAge = lifetime === 'session' ? '' : `; Max-Age=${lifetime === 'gone' ? 0 : lifetime}`
  const reach = isEmbedded ? 'SameSite=None; Partitioned; Secure' : `SameSite=Lax${isHttps ? '; Secure' : ''}`
  return `${name}=${value}${maxAge}; Path=/; ${reach}`
}

export function setPageCookie(name: string, value: string, lifetime: CookieLifetime, isEmbedded: boolean): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API needs https
  document.cookie = pageCookie(name, value, lifetime, { isHttps: location.protocol === 'https:', isEmbedded })
}
