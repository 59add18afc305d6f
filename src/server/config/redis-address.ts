const SENTINEL = /^redis(s?)\+sentinel:\/\/(?:([^:@/]*):([^@/]*)@)?([^@/]+)\/([\w.-]+)$/
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i
const SENTINEL_PORT = 26_379

/** The master that sentinels name, as Redis's client takes it. The password is that of Redis; sentinels are asked without one. */
export interface RedisMaster {
  sentinels: { host: string; port: number }[]
  name: string
  username?: string
  password?: string
  tls?: object
  sentinelTLS?: object
}

/** Where `REDIS_URL` leads: to an address, or to sentinels; `null` if to neither. */
export function redisAddressOf(value: string): string | RedisMaster | null {
  const [, tls, user, password, hosts = '', name = ''] = SENTINEL.exec(value) ?? []
  if (name === '') return /^rediss?:$/.test(URL.parse(value)?.protocol ?? '') ? value : null
  const sentinels = hosts.split(',').map((host) => {
    const [, v6, named, port = SENTINEL_PORT] = HOST.exec(host) ?? []
    return { host: v6 ?? named ?? '', port: Number(port) }
  })
  if (sentinels.some(({ host }) => host === '')) return null
  return {
    sentinels,
    name,
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(tls && { tls: {}, sentinelTLS: {} }),
  }
}
